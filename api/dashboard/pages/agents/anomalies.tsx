import { Table } from '../../components/table.tsx'
import { count, words } from '../../format.ts'
import type { AgentsData } from '../agents.tsx'

type Anomaly = AgentsData['anomalies'][number]

const TONES: Record<Anomaly['verdict'], string> = {
  anomalous: 'critical',
  suspicious: 'medium',
  insufficient_baseline: 'info',
  clean: 'good',
}

/** Sessions that differ from earlier ones of their agent, with every number that the verdict rests on. */
export function Anomalies({ anomalies, enabled }: { anomalies: readonly Anomaly[]; enabled: boolean }) {
  return (
    <section aria-label="Anomalies">
      <h2>Anomalies</h2>
      {!enabled && (
        <p class="soft">
          Anomaly detection is off (<code>governance.anomaly_detection.enabled</code>); the numbers are shown all the
          same.
        </p>
      )}
      {anomalies.length === 0 ? (
        <p class="soft">No session to compare.</p>
      ) : (
        <Table columns={['Session', 'Verdict', 'Compared with', 'Signals', 'New zones']} label="Anomalies">
          {anomalies.map(anomaly => (
            <tr key={anomaly.session_id}>
              <td>
                <b>{anomaly.agent}</b>
                <span class="under">{anomaly.intent}</span>
                <code class="under">{anomaly.session_id}</code>
              </td>
              <td>
                <span class={anomaly.verdict === 'clean' ? 'good' : `badge ${TONES[anomaly.verdict]}`}>
                  {words(anomaly.verdict)}
                </span>
              </td>
              <td class="number">{count(anomaly.baseline_sessions)} sessions</td>
              <td>
                {anomaly.signals.map(signal => (
                  <span key={signal.signal} class={signal.flagged ? 'under bad' : 'under'}>
                    {words(signal.signal)} {round(signal.value)}: mean {round(signal.mean)}, deviation{' '}
                    {round(signal.deviation)}, z {round(signal.z)} of {round(signal.threshold)}
                  </span>
                ))}
              </td>
              <td>{anomaly.new_zones.join(', ') || 'none'}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  )
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100)
}
