import { useEffect, useRef } from 'preact/hooks'

/** Milliseconds without a key press before a search is sent. */
const PAUSE = 200

/** A field that searches as one types. */
export function SearchField({
  value,
  label,
  placeholder,
  onSearch,
}: {
  value: string
  label: string
  placeholder: string
  onSearch(text: string): void
}) {
  const field = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    // The address may change without the field, as on the way back; what is being typed is left alone.
    if (document.activeElement !== field.current) field.current!.value = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const search = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onSearch(field.current!.value.trim()), PAUSE)
  }
  return (
    <input
      type="search"
      id="search"
      ref={field}
      defaultValue={value}
      placeholder={placeholder}
      aria-label={label}
      onInput={search}
    />
  )
}

/** A choice of one among few. */
export function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: readonly (readonly [value: string, text: string])[]
  onChange(value: string): void
}) {
  return (
    <label class="choice">
      <span class="visually-hidden">{label}</span>
      <select value={value} onChange={event => onChange(event.currentTarget.value)}>
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
