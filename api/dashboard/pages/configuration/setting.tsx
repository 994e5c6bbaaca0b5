import { useId } from 'preact/hooks'
import type { Answers } from '../../server/answers.gen.ts'

type Key = Answers['GET /api/pages/configuration']['keys'][number]

/** A setting: what it means, its value, and a field that fits what it may be. */
export function Setting({
  setting,
  changed,
  onChange,
}: {
  setting: Key
  changed: boolean
  /** With undefined the key is taken out of the file, and the default is in force. */
  onChange(value: unknown): void
}) {
  const id = useId()
  return (
    <div class={changed ? 'setting changed' : 'setting'}>
      <label for={id}>
        <code>{setting.key}</code>
      </label>
      <div class="field">
        <Field id={id} setting={setting} onChange={onChange} />
        {setting.kind !== 'other' && (
          <button
            type="button"
            class="quiet small"
            aria-label={`Reset ${setting.key}`}
            onClick={() => onChange(undefined)}
          >
            Reset
          </button>
        )}
      </div>
      <p class="soft">
        {setting.description}
        {setting.default !== undefined && <> Default: {format(setting.default)}</>}
      </p>
    </div>
  )
}

function Field({ id, setting, onChange }: { id: string; setting: Key; onChange(value: unknown): void }) {
  const { kind, value, choices = [] } = setting
  if (kind === 'flag')
    return (
      <input
        id={id}
        type="checkbox"
        defaultChecked={value === true}
        onChange={event => onChange(event.currentTarget.checked)}
      />
    )
  if (kind === 'choice')
    return (
      <select id={id} defaultValue={String(value ?? '')} onChange={event => onChange(event.currentTarget.value)}>
        {choices.map(choice => (
          <option key={choice} value={choice} selected={choice === value}>
            {choice}
          </option>
        ))}
      </select>
    )
  if (kind === 'number')
    return (
      <input
        id={id}
        type="number"
        step="any"
        defaultValue={value === undefined ? '' : String(value)}
        onChange={event => onChange(event.currentTarget.value === '' ? undefined : Number(event.currentTarget.value))}
      />
    )
  if (kind === 'list')
    return (
      <textarea
        id={id}
        rows={Math.min(6, Array.isArray(value) ? value.length + 1 : 2)}
        defaultValue={Array.isArray(value) ? value.join('\n') : ''}
        placeholder="one a line"
        onChange={event =>
          onChange(
            event.currentTarget.value
              .split('\n')
              .map(line => line.trim())
              .filter(Boolean),
          )
        }
      />
    )
  if (kind === 'text')
    return (
      <input
        id={id}
        type="text"
        defaultValue={value === undefined ? '' : String(value)}
        onChange={event => onChange(event.currentTarget.value || undefined)}
      />
    )
  return (
    <output id={id} class="soft">
      {format(value)}, written in the file
    </output>
  )
}

function format(value: unknown): string {
  if (value === undefined) return 'not set'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
