import { stream } from './api.js'
import { element, say } from './dom.js'
import { bytes, count, counted, duration, SEVERITIES } from './format.js'

/** Makes the button scan the repository, with live progress under the header and a way to stop. */
export function scanButton({ finished, failed }) {
  const button = document.getElementById('scan')
  const panel = document.getElementById('scanning')
  button.addEventListener('click', async () => {
    button.disabled = true
    const stop = new AbortController()
    const view = progressView(() => stop.abort())
    panel.replaceChildren(view.element)
    panel.hidden = false
    say('The scan has started.')
    try {
      const done = await stream('/api/run-scan-stream', {}, view.event, stop.signal)
      await finished(done)
    } catch (error) {
      if (error.name === 'AbortError') say('The scan was stopped. Nothing was stored.')
      else failed(error)
    } finally {
      view.end()
      panel.hidden = true
      button.disabled = false
    }
  })
}

function progressView(stop) {
  const began = performance.now()
  const tally = Object.fromEntries(SEVERITIES.map(severity => [severity, 0]))
  const bar = element('progress', { max: 1, 'aria-label': 'Files scanned' })
  const figures = element('p', { className: 'figures' }, 'Looking for files…')
  const time = element('span', { className: 'soft' })
  const chips = element('p', { className: 'chips' })
  const clock = setInterval(showTime, 250)
  let last

  function showTime() {
    const spent = performance.now() - began
    // Before a twentieth is done, a guess of what is left is worth nothing.
    const left =
      last && last.done >= last.total / 20 && last.done < last.total
        ? (spent / last.done) * (last.total - last.done)
        : undefined
    time.textContent = left === undefined ? duration(spent) : `${duration(spent)}, about ${duration(left)} left`
  }

  function showTally() {
    chips.replaceChildren(
      ...SEVERITIES.filter(severity => tally[severity] > 0).map(severity =>
        element('span', { className: `badge ${severity}` }, `${count(tally[severity])} ${severity}`),
      ),
    )
  }

  return {
    element: element(
      'div',
      { className: 'inner' },
      element(
        'div',
        { className: 'line' },
        figures,
        chips,
        time,
        element('button', { type: 'button', className: 'quiet', onclick: stop }, 'Stop'),
      ),
      bar,
    ),
    event(name, data) {
      if (name === 'started') figures.textContent = counted(data.files, 'file')
      if (name === 'finding' && data.status !== 'suppressed') {
        tally[data.severity]++
        showTally()
      }
      if (name === 'progress') {
        last = data
        if (data.total === 0) return
        bar.max = data.total
        bar.value = data.done
        figures.textContent = `${count(data.done)} of ${counted(data.total, 'file')}, ${bytes(data.bytes)}, ${counted(data.findings, 'finding')}`
      }
    },
    end: () => clearInterval(clock),
  }
}
