import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type JsonObject, KeyProvider, type Plugin, provide } from '@keyhost/spi';

/** Signs with ES256, with a key on the curve P-256 in a PEM file. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(KeyProvider, {
      id: '__id__',
      describe: { displayName: 'Key in a file', helpText: 'Signs with a private key in a PEM file.' },
      config: {
        type: 'object',
        properties: { file: { type: 'string', default: 'signing-key.pem' } },
        additionalProperties: false,
      },
      open: ({ file = 'signing-key.pem' }) => ({
        create: () => ({
          async keys() {
            const publicKey = createPublicKey(await readFile(file)).export({ format: 'jwk' }) as JsonObject;
            const kid = createHash('sha256').update(JSON.stringify(publicKey)).digest('base64url');
            return [{ kid, algorithm: 'ES256', publicKey }];
          },

          async sign({ input }) {
            const key = createPrivateKey(await readFile(file));
            return sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
