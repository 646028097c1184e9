import { Agent, request } from 'node:http';
import { CC } from './bench-realm.js';

const RATE = 100;

/**
 * How long client_credentials requests take, in milliseconds, when they come at a fixed rate, whether or not the ones
 * before were answered.
 * @param oidc the realm's `…/protocol/openid-connect`
 */
export async function tokenTimes(oidc: string, seconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const times = await Promise.all(
    Array.from({ length: RATE * seconds }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, (index * 1000) / RATE));
      const began = performance.now();
      await post(agent, `${oidc}/token`, CC);
      return performance.now() - began;
    }),
  );
  agent.destroy();
  return times;
}

export function p99(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

function post(agent: Agent, url: string, form: Record<string, string>): Promise<void> {
  const body = new URLSearchParams(form).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, method: 'POST', headers }, (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${url} answered ${response.statusCode}`)),
      );
    });
    call.on('error', reject);
    call.end(body);
  });
}
