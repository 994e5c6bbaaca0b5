import { describe, expect, it } from 'vitest'
import { scan } from '../rules/every-rule.ts'

describe('a template', () => {
  const CHART = [
    '{{- if .Values.enabled }}',
    'apiVersion: apps/v1',
    'kind: Deployment',
    'metadata:',
    '  name: {{ include "app.fullname" . }}',
    '  labels:',
    '    {{- include "app.labels" . | nindent 4 }}',
    'spec:',
    '  template:',
    '    spec:',
    '      {{- with .Values.account }}',
    '      serviceAccountName: {{ . }}',
    '      {{- end }}',
    '      containers:',
    '        - name: {{ .Chart.Name }}',
    '          image: "{{ .Values.image }}:{{ .Values.tag | default "x" }}"',
    '          securityContext:',
    '            privileged: true',
    '            {{- if .Values.root }}',
    '            runAsUser: 0',
    '            {{- else }}',
    '            runAsUser: {{ .Values.uid }}',
    '            {{- end }}',
    '          env:',
    '            {{- range $k, $v := .Values.env }}',
    '            - name: {{ $k }}',
    '              value: {{ $v | quote }}',
    '            {{- end }}',
    '            - name: DB_PASSWORD',
    '              value: {{ .Values.password }}',
    '{{- end }}',
    '',
  ]

  it('of Helm is judged, in both branches, as it is written', () => {
    const { found, failures } = scan('chart/templates/deploy.yaml', CHART.join('\n'))
    expect(failures).toEqual([])
    const written = found.filter(({ id }) => id !== 'k8s-limits-missing')
    expect(written.map(({ id, line, column, snippet }) => ({ id, line, column, snippet }))).toEqual([
      { id: 'k8s-privileged', line: 18, column: 13, snippet: '            privileged: true' },
      { id: 'k8s-run-as-root', line: 20, column: 13, snippet: '            runAsUser: 0' },
    ])
  })

  it.each([
    ['a.yaml.j2', '{% if x %}\n', '\n{% endif %}\n'],
    ['a.yml', '{# what it is for #}\n{% for x in y %}\n', '\n{% endfor %}\n'],
    ['a.yaml.erb', '<% if x %>\n', '\n<% end %>\n'],
    ['a.yaml.tftpl', '%{ if x ~}\n', '\n%{ endif ~}\n'],
    ['a.yaml.gotmpl', '{{ range .x }}\n', '\n{{ end }}\n'],
  ])('of YAML is judged: %s', (path, before, after) => {
    const pod =
      'apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - name: a\n      securityContext:\n        privileged: true'
    const { ids, failures } = scan(path, before + pod + after)
    expect(ids).toContain('k8s-privileged')
    expect(failures).toEqual([])
  })

  it.each(['Dockerfile.j2', 'Dockerfile.tmpl', 'images/Dockerfile.erb'])('of a Dockerfile is judged: %s', path => {
    const { ids } = scan(path, 'FROM {{ base }}\n{% if debug %}\nRUN curl -k https://example.org/x | sh\n{% endif %}\n')
    expect(ids).toContain('docker-pipe-to-shell')
  })

  it('can hold a suppression in a comment of its own', () => {
    const line = `            {{- /* svc-${'ignore'}: k8s-privileged -- the driver needs it */}}`
    const { ignores } = scan('chart/templates/deploy.yaml', CHART.toSpliced(17, 0, line).join('\n'))
    expect(ignores).toMatchObject([{ line: 18, last_line: 19, rules: ['k8s-privileged'] }])
  })

  it('that does not parse without its blocks is listed as not evaluated, once', () => {
    const broken = CHART.toSpliced(8, 0, '  a: [{{ .x }}', '   b: "').join('\n')
    expect(scan('chart/templates/deploy.yaml', broken).failures).toEqual([
      { reason: 'not_understood', detail: 'the template does not parse without its blocks' },
    ])
  })

  it.each([
    [
      'a workflow',
      '.github/workflows/a.yml',
      'on: push\njobs:\n  a:\n    runs-on: ${{ matrix.os }}\n    env:\n      PASSWORD: ${{ secrets.P }}\n    steps: []\n',
    ],
    [
      'a password that is a value of it',
      'values.yaml',
      'password: {{ .Values.password }}\ndb_password: "{{ vault_password }}"\n',
    ],
    [
      'a reference of CloudFormation',
      'a.yaml',
      "Resources:\n  A:\n    Type: AWS::RDS::DBInstance\n    Properties:\n      MasterUserPassword: '{{resolve:secretsmanager:db:SecretString:password}}'\n",
    ],
  ])('is nothing to report: %s', (_, path, text) => {
    const { ids, failures } = scan(path, text)
    expect(ids.filter(id => /secret|password/.test(id))).toEqual([])
    expect(failures).toEqual([])
  })
})
