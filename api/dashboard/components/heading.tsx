/** The title of a page: every page has one, and shows it. */
export function Heading({ title }: { title: string }) {
  return <h1 class="title-of-page">{title}</h1>
}
