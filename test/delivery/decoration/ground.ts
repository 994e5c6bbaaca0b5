import { decorate } from '../../../engine/delivery/decoration/decorate.ts'
import type { Subject } from '../../../engine/delivery/decoration/subject.ts'
import type { CodeProvider } from '../../../engine/delivery/providers/provider.ts'
import { folder } from '../../made/folder.ts'
import { startGithub } from '../../made/providers/github.ts'

export const SHA = '2222222222222222222222222222222222222222'
const PATCH = `@@ -1,0 +1,60 @@\n${Array.from({ length: 60 }, (_, at) => `+line ${at + 1}`).join('\n')}`
/** A stand-in with the pull request 7, which adds 60 lines to app.js. */
export const started = () =>
  startGithub({
    pulls: [{ number: 7, title: 't', body: '', state: 'open', head: 'work', head_sha: SHA, base: 'main' }],
    files: [{ number: 7, filename: 'app.js', patch: PATCH }],
  })

/** Decorates the pull request 7. */
export const post = (provider: CodeProvider, judged: Subject, out = folder({}), isFork = false) =>
  decorate(
    {
      name: 'github',
      project: 'acme/shop',
      provider,
      sha: judged.sha,
      pull_request: 7,
      is_fork: isFork,
      comments: true,
      check: true,
    },
    judged,
    { out, read: () => undefined },
  )
