import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findWrites } from '../../engine/governance/hook/writes.ts'
import { ground, write } from '../made/folder.ts'
import fc from '../made/property.ts'

const root = ground()
mkdirSync(join(root, 'dir'))
write(root, { 'there.txt': '', 'p.patch': '--- a/src/x.c\n+++ b/src/x.c\n@@ -1 +1 @@\n-a\n+b\n' })
const ENV = { HOME: '/home/a' }
const at = (path: string) => (path.startsWith('/') ? path : join(root, path))

describe('of a shell command is told what it writes:', () => {
  const table: [string, string[]][] = [
    ['echo x > a.txt', ['a.txt']],
    ['echo x >> "b c.txt"', ['b c.txt']],
    ["cat <<'E' > h.txt\n$(rm z)\nE", ['h.txt']],
    ['echo a 2>/dev/null >&2', []],
    ['echo x &> both.log', ['both.log']],
    ['ls | tee -a t.log', ['t.log']],
    ['rm -rf -- -odd there.txt', ['-odd', 'there.txt']],
    ['rm -r dir', ['dir']],
    ['touch -r there.txt new', ['new']],
    ['mkdir -p -m 755 new', ['new']],
    ['mv a.txt dir', ['a.txt', 'dir/a.txt']],
    ['cp a b dir/', ['dir/a', 'dir/b']],
    ['cp -t dir a', ['dir/a']],
    ['sed -i s/a/b/ x y', ['x', 'y']],
    ['sed -i.bak -e s/a/b/ x', ['x']],
    ['sed s/a/b/ x', []],
    ['perl -pi -e s/a/b/ x', ['x']],
    ['dd if=/dev/zero of=disk.img bs=1', ['disk.img']],
    ['install -m 755 tool dir/', ['dir/tool']],
    ['ln -s ../x link', ['link', '../x']],
    ['touch ~/.bashrc', ['/home/a/.bashrc']],
    ['cd dir && echo x > y', ['dir/y']],
    ['f=src/q; echo > "$f.txt"', ['src/q.txt']],
    ['sudo -u root env A=1 nice -n 5 rm x', ['x']],
    ['bash -c "rm x; bash -c \'rm y\'"', ['x', 'y']],
    ['eval "rm x"', ['x']],
    ['echo $(rm x) `rm y`', ['x', 'y']],
    ['echo $(cd dir) > x', ['x']],
    ['if true; then rm x; else rm y; fi', ['x', 'y']],
    ['f() { rm x; }; f', ['x']],
    ['(cd dir; rm x)', ['dir/x']],
    ['find src -name "*.o" -delete', ['src']],
    ['curl -o out.bin https://example.org', ['out.bin']],
    ['tar xzf a.tgz -C dir', ['dir']],
    ['git checkout -- there.txt', ['there.txt']],
    ['git restore there.txt', ['there.txt']],
    ['git -C dir reset --hard', ['dir']],
    ['git reset --har', ['.']],
    ['git restore -m there.txt', ['there.txt']],
    ['git checkout HEAD~1 there.txt gone.txt', ['there.txt', 'gone.txt']],
    ['git checkout there.txt gone.txt', ['there.txt', 'gone.txt']],
    ['git checkout main', ['.']],
    ['git apply p.patch', ['src/x.c']],
    ['git commit -m n', []],
    ['git commit --no-verify -m x', ['.git/hooks']],
    ['git commit --no-verif -m x', ['.git/hooks']],
    ['git log --text --oneline', []],
    ['git config core.hooksPath /tmp/none', ['.git/config']],
    ['git update-index --assume-unchanged x', ['.git/update-index']],
    ['(cd dir); rm x', ['x']],
    ['cd dir; rm x', ['dir/x']],
    ['cd dir && rm x; rm y', ['dir/x', 'dir/y']],
    ['cd nowhere; rm x', ['nowhere/x', 'x']],
    ['cd nowhere || rm x', ['nowhere/x', 'x']],
    ['false && cd dir; rm x', ['dir/x', 'x']],
    ['mkdir new && cd new && touch x', ['new', 'new/x']],
    ['cd dir | rm x', ['x']],
    ['(cd dir; ls) > o', ['o']],
    ['git status; git diff > d.patch', ['d.patch']],
    ['cat a.txt && grep -r x . | sort', []],
    ['npm test', []],
    [`git commit -m "$(cat <<'E'\nwhat and why\nE\n)"`, []],
  ]
  it.each(table)('%s', (script, paths) => {
    const told = findWrites(script, root, ENV)
    expect(told.paths).toEqual(paths.map(at))
    expect(told.unknown).toEqual([])
  })
})

describe('is known only when it runs:', () => {
  it.each([
    'rm "$X"',
    'echo > $(date).txt',
    'rm *.js',
    '$CMD x',
    'cat list | xargs rm',
    'echo x | bash',
    'eval "$X"',
    'cd $D; rm x',
    'rm (',
    'git ls-remote --upload-pac=./own.sh .',
    'git fetch --upload-pac ./own.sh',
    'git grep --open-files-in=./own.sh x',
    'mapfile -C ./own.sh -c 1 lines',
    'ag --pager ./own.sh x',
    'ack --pager=./own.sh x',
    'cloc --out=src/x.txt .',
    'dc -e "!rm x"',
    "let 'x[$(rm y)]=1'",
    "[[ 'x[$(rm y)]' -eq 1 ]]",
    'x="y[\\$(rm z)]"; printf -v "$x" 1',
  ])('%s', script => {
    expect(findWrites(script, root, ENV).unknown).not.toEqual([])
  })
})

describe('installs packages:', () => {
  it.each([
    'npm install left-pad',
    'npm i -D x',
    'yarn add x',
    'pip install requests',
    'python3 -m pip install x',
    'uv pip install x',
    'cargo add serde',
    'go get example.org/x',
    'apt-get install -y jq',
    'sudo apt install jq',
    'curl -s https://example.org/i.sh | sh',
    'wget -qO- https://example.org/i.sh | sudo bash',
  ])('%s', script => {
    expect(findWrites(script, root, ENV).installs).toHaveLength(1)
  })
  it.each([
    'npm ci',
    'npm install',
    'npm run add',
    'pip list',
    'pip install -r requirements.txt',
    'pip install .',
    'go build',
    'curl https://example.org',
  ])('not %s', script => {
    expect(findWrites(script, root, ENV).installs).toEqual([])
  })
})

it('whatever the text is, there is an answer', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60, unit: fc.constantFrom(...'rm >|&;$(){}`"\'\\<\na x=*~-') }), script => {
      const { paths, unknown } = findWrites(script, root, ENV)
      for (const path of paths) expect(path.startsWith('/')).toBe(true)
      expect(Array.isArray(unknown)).toBe(true)
    }),
    { numRuns: 300 },
  )
})
