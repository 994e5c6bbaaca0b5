import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** ast-grep's program. */
export const AST_GREP = join(
  dirname(createRequire(import.meta.url).resolve(`@ast-grep/cli-${process.platform}-${process.arch}-gnu/package.json`)),
  'ast-grep',
)

/** What somebody who searches a tree of each language asks ast-grep for: twenty calls that reviewers look at. */
const PATTERNS: Record<string, readonly string[]> = {
  c: 'strcpy($A,$B)|strcat($A,$B)|sprintf($$$A)|vsprintf($$$A)|gets($A)|system($A)|popen($$$A)|alloca($A)|strncpy($$$A)|sscanf($$$A)|mktemp($A)|tmpnam($A)|rand()|srand($A)|setuid($A)|chmod($$$A)|access($$$A)|memcpy($$$A)|kmalloc($A * $B, $C)|copy_from_user($$$A)'.split(
    '|',
  ),
  python:
    'eval($A)|exec($A)|os.system($A)|os.popen($$$A)|subprocess.call($$$A)|subprocess.run($$$A)|subprocess.Popen($$$A)|pickle.loads($A)|pickle.load($A)|yaml.load($$$A)|marshal.loads($A)|hashlib.md5($$$A)|hashlib.sha1($$$A)|tempfile.mktemp($$$A)|random.random()|random.choice($A)|requests.get($$$A)|input($$$A)|compile($$$A)|os.chmod($$$A)'.split(
      '|',
    ),
  go: 'exec.Command($$$A)|os.Open($A)|os.Create($A)|os.Chmod($$$A)|os.MkdirAll($$$A)|ioutil.ReadFile($A)|ioutil.WriteFile($$$A)|md5.New()|sha1.New()|rand.Intn($A)|rand.Int()|http.Get($A)|http.ListenAndServe($$$A)|template.HTML($A)|unsafe.Pointer($A)|fmt.Sprintf($$$A)|panic($A)|recover()|syscall.Exec($$$A)|des.NewCipher($A)'.split(
    '|',
  ),
  java: 'Runtime.getRuntime()|Class.forName($A)|MessageDigest.getInstance($A)|Cipher.getInstance($$$A)|System.exit($A)|System.getenv($A)|System.getProperty($$$A)|System.load($A)|System.loadLibrary($A)|Math.random()|new Random()|new File($$$A)|new ObjectInputStream($A)|new ProcessBuilder($$$A)|new FileInputStream($A)|new FileOutputStream($$$A)|File.createTempFile($$$A)|Thread.sleep($A)|AccessController.doPrivileged($$$A)|DriverManager.getConnection($$$A)'.split(
    '|',
  ),
}

/** Which of them each tree of the bench is searched for. */
const LANGUAGE_OF: Record<string, string> = { linux: 'c', ansible: 'python', go: 'go', openjdk: 'java' }

/** Writes a tree's patterns as rules for ast-grep, one a file; answers its configuration, and how many there are. */
export function writePatterns(tree: string): { folder: string; config: string; count: number } {
  const language = LANGUAGE_OF[tree]!
  const patterns = PATTERNS[language]!
  const folder = mkdtempSync(join(tmpdir(), 'ast-grep-'))
  mkdirSync(join(folder, 'rules'))
  const config = join(folder, 'sgconfig.yml')
  writeFileSync(config, 'ruleDirs: [rules]\n')
  for (const [index, pattern] of patterns.entries()) {
    const id = `${language}-${index}`
    // JSON is YAML too.
    const text = JSON.stringify({ id, language, severity: 'warning', message: id, rule: { pattern } })
    writeFileSync(join(folder, 'rules', `${id}.yml`), text)
  }
  return { folder, config, count: patterns.length }
}
