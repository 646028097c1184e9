import * as http from 'node:http';
import * as https from 'node:https';

export interface Sent {
  readonly form?: Readonly<Record<string, string>> | undefined;
  readonly json?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly cookies: readonly string[];
  readonly body: string;
}

/** The answer was not complete in time. */
export class NoAnswer extends Error {}

/** Sends requests over persistent connections. */
export class HttpClient {
  readonly #agents: Readonly<Record<'http:' | 'https:', http.Agent>>;
  readonly #limit: number | undefined;

  /** @param options.limit the timeout of an answer in milliseconds; none by default */
  constructor({ connections = 64, limit }: { connections?: number; limit?: number } = {}) {
    this.#limit = limit;
    this.#agents = {
      'http:': new http.Agent({ keepAlive: true, maxSockets: connections }),
      'https:': new https.Agent({ keepAlive: true, maxSockets: connections }),
    };
  }

  /** GET, or POST with a body. @throws NoAnswer; Error of the connection */
  send(url: string, { form, json, headers = {} }: Sent = {}): Promise<Answer> {
    const body = json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json);
    const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
    const about = body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) };
    const protocol = url.startsWith('https:') ? 'https:' : 'http:';
    const { request } = protocol === 'https:' ? https : http;
    const options = { agent: this.#agents[protocol], method: body === undefined ? 'GET' : 'POST' };
    return new Promise((resolve, reject) => {
      const call = request(url, { ...options, headers: { ...about, ...headers } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            location: response.headers.location,
            cookies: response.headers['set-cookie'] ?? [],
            body: Buffer.concat(chunks).toString(),
          }),
        );
      });
      call.on('error', reject);
      call.end(body);
      if (this.#limit === undefined) return;
      const timer = setTimeout(() => {
        reject(new NoAnswer(`no answer within ${this.#limit} ms`));
        call.destroy();
      }, this.#limit);
      call.once('close', () => clearTimeout(timer));
    });
  }

  /** @returns the body @throws Error at any answer but 200 */
  async ok(url: string, sent?: Sent): Promise<string> {
    const { status, body } = await this.send(url, sent);
    if (status !== 200) throw new Error(`${url} answered ${status}: ${body.slice(0, 200)}`);
    return body;
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}
