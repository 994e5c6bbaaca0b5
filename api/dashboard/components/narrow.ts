import { useEffect, useState } from 'preact/hooks'

/** Whether the screen is narrow, also after it was turned. */
export function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => matchMedia('(max-width: 820px)').matches)
  useEffect(() => {
    const query = matchMedia('(max-width: 820px)')
    const follow = () => setNarrow(query.matches)
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])
  return narrow
}
