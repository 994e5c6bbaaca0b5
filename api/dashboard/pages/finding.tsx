import { FindingDetail } from '../components/finding-detail.tsx'
import { Heading } from '../components/heading.tsx'
import { UndoSuppression } from '../components/suppress-dialog.tsx'
import type { PageProps } from '../shell/registry.ts'
import { href } from '../shell/route.ts'

/** One finding on a page of its own, which a link leads to. */
export default function FindingPage({ run, query }: PageProps) {
  const id = query.get('id')
  return (
    <>
      <p class="crumbs">
        <a href={href('findings')}>All findings</a>
      </p>
      <UndoSuppression />
      {id ? (
        <div class="panel padded">
          <FindingDetail key={id} id={id} run={run.id} page />
        </div>
      ) : (
        <Heading title="The address names no finding" />
      )}
    </>
  )
}
