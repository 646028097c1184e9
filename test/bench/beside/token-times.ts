import { CC } from '../bench-realm.js';
import { HttpClient } from '../http-client.js';

const RATE = 100;

/**
 * How long client_credentials requests take, in milliseconds, when they come at a fixed rate, whether or not the ones
 * before were answered.
 * @param oidc the realm's `…/protocol/openid-connect`
 */
export async function tokenTimes(oidc: string, seconds: number): Promise<number[]> {
  const client = new HttpClient();
  const times = await Promise.all(
    Array.from({ length: RATE * seconds }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, (index * 1000) / RATE));
      const began = performance.now();
      await client.ok(`${oidc}/token`, { form: CC });
      return performance.now() - began;
    }),
  );
  client.close();
  return times;
}

export function p99(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}
