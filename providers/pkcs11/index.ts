import { KeyProvider, type Plugin, provide } from '@keyhost/spi';
import { Library, loadFunctions } from './library.js';
import { RSA_ALGORITHMS } from './mechanisms.js';
import { tokensOf } from './tokens.js';

const [RS256] = RSA_ALGORITHMS;
/** The maximum number of keys of a component, as KeyProvider defines it. */
const MAX_KEYS = 20;
const TOO_MANY = 'The token has more than 20 such keys that sign. Enter a label that fewer keys have.';

/** Keys of a realm in a token of a PKCS#11 library: an HSM, a smart card, SoftHSM. */
export default {
  name: '@keyhost/pkcs11',
  api: 1,
  messages: {
    de: {
      'Label of the keys': 'Label der Schlüssel',
      'CKA_LABEL of the keys in the token. Empty: all that sign.':
        'CKA_LABEL der Schlüssel im Token. Leer: alle, die signieren.',
      'Algorithm of RSA keys': 'Algorithmus der RSA-Schlüssel',
      'Signs with keys in an HSM, by PKCS#11': 'Signiert mit Schlüsseln in einem HSM, über PKCS#11',
    },
  },
  providers: [
    provide(KeyProvider, {
      id: 'pkcs11',
      describe: { displayName: 'PKCS#11', helpText: 'Signs with keys in an HSM, by PKCS#11' },
      settings: {
        type: 'object',
        properties: {
          label: {
            type: 'string',
            title: 'Label of the keys',
            description: 'CKA_LABEL of the keys in the token. Empty: all that sign.',
          },
          algorithm: { type: 'string', title: 'Algorithm of RSA keys', enum: [...RSA_ALGORITHMS], default: RS256 },
        },
        additionalProperties: false,
      },
      config: {
        type: 'object',
        required: ['library', 'realms'],
        properties: {
          library: { type: 'string', minLength: 1 },
          // Only the operator assigns a token to a realm: the admin of a realm could otherwise use the token of
          // another.
          realms: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              required: ['token', 'pin'],
              properties: { token: { type: 'string', minLength: 1 }, pin: { type: 'string', minLength: 1 } },
              additionalProperties: false,
            },
          },
        },
        additionalProperties: false,
      },
      open({ library: path, realms }) {
        const tokens = tokensOf(new Library(loadFunctions(path)), realms);
        return {
          create: (session) => {
            const token = () => {
              const found = tokens.get(session.realm.name);
              if (found === undefined) throw new Error(`the realm ${session.realm.name} has no token in plugins.json`);
              return found;
            };
            return {
              async keys({ config }) {
                const found = await token().keys(config.label?.[0] || undefined, config.algorithm?.[0] || RS256);
                if (found.length > MAX_KEYS) throw new Error(TOO_MANY);
                return found;
              },
              sign: async ({ config, kid, algorithm, input }) =>
                (await token().sign(config.label?.[0] || undefined, kid, algorithm, input)).toString('base64url'),
              checkConfig: async ({ config }) => {
                if (!tokens.has(session.realm.name)) return 'This realm has no token in plugins.json.';
                const found = await token().keys(config.label?.[0] || undefined, RS256);
                if (found.length > MAX_KEYS) return TOO_MANY;
                return found.length === 0 ? 'The token has no such key that signs.' : undefined;
              },
            };
          },
          async close() {
            for (const token of new Set(tokens.values())) await token.close();
          },
        };
      },
    }),
  ],
} satisfies Plugin;
