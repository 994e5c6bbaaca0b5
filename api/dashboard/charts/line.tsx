import { line } from 'd3-shape'
import { Frame } from './frame.tsx'

/** A value at a time; null where it was not measured, which leaves a gap. */
export interface Value {
  at: string
  value: number | null
}

/** One value over time, from 0 to 100. */
export function Line({ values, name }: { values: readonly Value[]; name: string }) {
  const known = values.filter(({ value }) => value !== null)
  const label = `${name} from 0 to 100: ${known.length === 0 ? 'no data' : `from ${known[0]!.value} to ${known.at(-1)!.value}`}`
  return (
    <Frame times={values.map(({ at }) => at)} most={100} label={label}>
      {({ x, y }) => {
        const draw = line<Value>()
          .defined(({ value }) => value !== null)
          .x(({ at }) => x(Date.parse(at)))
          .y(({ value }) => y(value!))
        return (
          <>
            <path class="stroke" d={draw(values as Value[]) ?? ''} />
            {known.map(({ at, value }) => (
              <circle key={at} class="point" cx={x(Date.parse(at))} cy={y(value!)} r={known.length > 60 ? 1.5 : 3} />
            ))}
          </>
        )
      }}
    </Frame>
  )
}
