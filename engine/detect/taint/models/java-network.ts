import type { SourceSpec } from '../../../base/records/taint-model.ts'

const ANSWER = 'response to an outgoing request'
const CONNECTION = 'network data'

/** What is typed in, and what other machines send: over connections, and as answers to requests of the program's own. */
export const OUTSIDE: SourceSpec[] = [
  {
    kind: 'stdin',
    label: 'standard input',
    members: ['System.in'],
    calls: ['java.io.Console.readLine', 'java.io.Console.readPassword'],
    words: ['System.in', 'readPassword', 'Console', 'console()'],
  },
  {
    kind: 'network',
    label: CONNECTION,
    calls: [
      'java.net.Socket.getInputStream',
      'javax.net.ssl.SSLSocket.getInputStream',
      'java.net.DatagramPacket.getData',
    ],
    words: ['Socket', 'DatagramPacket'],
    near: ['getInputStream', 'getData'],
  },
  {
    kind: 'network',
    label: ANSWER,
    calls: [
      ...['URLConnection', 'HttpURLConnection', 'JarURLConnection'].flatMap(type => [
        `java.net.${type}.getInputStream`,
        `java.net.${type}.getContent`,
        `java.net.${type}.getHeaderField`,
      ]),
      'javax.net.ssl.HttpsURLConnection.getInputStream',
      'java.net.URL.openStream',
      'java.net.http.HttpResponse.body',
      'okhttp3.ResponseBody.string',
      'okhttp3.ResponseBody.bytes',
      'org.apache.http.util.EntityUtils.toString',
      'org.apache.hc.core5.http.io.entity.EntityUtils.toString',
      'org.springframework.web.client.RestTemplate.getForObject',
      'org.springframework.web.client.RestTemplate.postForObject',
    ],
    words: [
      'URLConnection',
      'openConnection',
      'openStream',
      'HttpResponse',
      'ResponseBody',
      'EntityUtils',
      'RestTemplate',
    ],
    near: [
      ...['getInputStream', 'getContent', 'getHeaderField', 'openStream', 'EntityUtils'],
      ...['body()', 'getForObject', 'postForObject'],
    ],
  },
]

/** What gives the objects above. */
export const OUTSIDE_TYPES: Record<string, string> = {
  'java.lang.System.console': 'java.io.Console',
  'java.net.ServerSocket.accept': 'java.net.Socket',
  'javax.net.ssl.SSLServerSocket.accept': 'javax.net.ssl.SSLSocket',
  'java.net.URL.openConnection': 'java.net.URLConnection',
}
