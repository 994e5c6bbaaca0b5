/** What the human answer may depend on. */
export interface View {
  verbose: boolean
  quiet: boolean
  /** Colours a text where the stream takes colour, else returns it as it is. */
  paint: Paint
  /** Columns of the terminal, 80 where there is none. */
  width: number
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan'

export type Paint = (style: Style, text: string) => string
