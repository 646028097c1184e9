import { createHmac, timingSafeEqual } from 'node:crypto';
import { ClientAuthenticator, type Plugin, provide } from '@keyhost/spi';

/** The tolerance for differing clocks of client and host, in seconds. */
const LEEWAY = 60;

/**
 * Authenticates clients that sign the time with their key: they send `time`, and `proof`, its HMAC-SHA256 in
 * hexadecimal.
 */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(ClientAuthenticator, {
      id: '__id__',
      describe: { displayName: 'Signed Time', helpText: 'The client signs the time with its key.' },
      authMethods: ['signed_time'],
      parameters: ['time', 'proof'],
      settings: {
        type: 'object',
        properties: { 'time.key': { type: 'string', minLength: 16, title: 'Key', format: 'password' } },
      },
      open: (_, { clock }) => ({
        create: () => ({
          async authenticate({ client, form: { time = '', proof = '' } }) {
            const key = client.attributes['time.key'];
            if (key === undefined) return { outcome: 'failure', description: 'The client has no key' };
            const signed = createHmac('sha256', key).update(`${client.clientId} ${time}`).digest();
            const given = Buffer.from(proof, 'hex');
            if (given.length !== signed.length || !timingSafeEqual(given, signed)) return { outcome: 'failure' };
            const expiresAt = Number(time) + LEEWAY;
            const isNow = Math.abs(clock.now() / 1000 - Number(time)) < LEEWAY;
            return isNow ? { outcome: 'success', once: { key: proof, expiresAt } } : { outcome: 'failure' };
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
