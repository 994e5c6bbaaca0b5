import { type } from 'arktype'

const SourceType = type({ file: 'string', 'line?': 'number.integer' })
const CountsType = type({ '[string]': 'number.integer' })

const ModuleType = type({
  directory: 'string',
  purpose: 'string',
  files: 'number.integer',
  source_files: 'number.integer',
  test_files: 'number.integer',
  languages: 'string[]',
})

const FrameworkType = type({
  name: 'string',
  kind: "'web' | 'frontend' | 'test' | 'data' | 'mobile' | 'build'",
  source: SourceType,
})

/** The project profile in operations' outputs. */
export const ProfileType = type({
  digest: 'string',
  languages: type({ name: 'string', files: 'number.integer', test_files: 'number.integer', bytes: 'number' }).array(),
  frameworks: FrameworkType.array(),
  build_tools: type({ name: 'string', source: SourceType }).array(),
  package_managers: type({ name: 'string', source: SourceType }).array(),
  architecture_patterns: type({ name: 'string', evidence: 'string[]' }).array(),
  adrs: type({ file: 'string', title: 'string', 'status?': 'string' }).array(),
  conventions: type({
    language: 'string',
    files: 'number.integer',
    functions: 'number.integer',
    types: 'number.integer',
    public_declarations: 'number.integer',
    documented: 'number.integer',
    typeable: 'number.integer',
    typed: 'number.integer',
    naming: type({ functions: CountsType, types: CountsType }),
    names: 'number.integer',
    deviating_names: 'number.integer',
    deviations: type({ name: 'string', file: 'string', line: 'number.integer' }).array(),
    'convention?': 'string',
    docstring_styles: CountsType,
    test_styles: CountsType,
    indentation: CountsType,
    import_files: 'number.integer',
    sorted_imports: 'number.integer',
    file_names: CountsType,
  }).array(),
  modules: ModuleType.array(),
  tech_stack: type({ '[string]': 'string[]' }),
})

/** What a path must respect, in operations' outputs. */
export const ConstraintsType = type({
  path: 'string',
  'language?': 'string',
  'module?': ModuleType,
  frameworks: FrameworkType.array(),
  conventions: type('string[]').describe('conventions that at least three quarters keep, with their counts'),
  architecture: type({ rule: 'string', text: 'string', 'reason?': 'string' }).array(),
  'architecture_file?': 'string',
  adrs: type({ file: 'string', title: 'string', 'status?': 'string', names_path: 'boolean' }).array(),
})
