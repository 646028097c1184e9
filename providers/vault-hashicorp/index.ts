import { type Plugin, provide, Vault } from '@keyhost/spi';
import { MESSAGES } from './messages.js';
import { VaultClient, type VaultSettings } from './vault-client.js';

const APPROLE = {
  type: 'object',
  required: ['roleId', 'secretId'],
  properties: {
    roleId: { type: 'string', minLength: 1 },
    secretId: { type: 'string', minLength: 1 },
    mount: { type: 'string', default: 'approle' },
  },
  additionalProperties: false,
} as const;

/** Returns the path of a secret. The name of the realm and the key are each escaped as one segment. */
function secretPath(template: string, realm: string, key: string): string {
  return template.replaceAll('{realm}', encodeURIComponent(realm)).replaceAll('{key}', encodeURIComponent(key));
}

/** Secrets of HashiCorp Vault and OpenBao, from a key-value engine of version 2. */
export default {
  name: '@keyhost/vault-hashicorp',
  api: 1,
  messages: MESSAGES,
  providers: [
    provide(Vault, {
      id: 'hashicorp',
      describe: { displayName: 'HashiCorp Vault', helpText: 'Secrets of HashiCorp Vault or OpenBao.' },
      background: true,
      config: {
        type: 'object',
        required: ['url'],
        properties: {
          url: { type: 'string', pattern: '^https?://', mustBe: 'an http or https address' },
          namespace: { type: 'string', minLength: 1 },
          token: { type: 'string', minLength: 1 },
          appRole: APPROLE,
          mount: { type: 'string', minLength: 1, default: 'secret' },
          // Admins of a realm choose the names of keys: without the realm's name in the path, they could read the
          // secrets of all realms. If both were in one segment, a realm's name and a key could run together into those
          // of another realm.
          path: {
            type: 'string',
            pattern: '^(?!.*\\{realm\\}[^/]*\\{key\\})(?!.*\\{key\\}[^/]*\\{realm\\}).*\\{realm\\}',
            mustBe: 'a path that has {realm}, and {key} only in another segment',
            default: '{realm}/{key}',
          },
          field: { type: 'string', minLength: 1, default: 'value' },
          timeout: { type: 'number', exclusiveMinimum: 0, maximum: 30, default: 5 },
        },
        oneOf: [{ required: ['token'] }, { required: ['appRole'] }],
        additionalProperties: false,
      },
      open(config) {
        const { mount = 'secret', path = '{realm}/{key}', field = 'value', timeout = 5, appRole, ...rest } = config;
        const settings: VaultSettings = {
          ...rest,
          url: config.url.replace(/\/+$/, ''),
          timeout,
          ...(appRole && { appRole: { ...appRole, mount: appRole.mount ?? 'approle' } }),
        };
        const client = new VaultClient(settings);
        return {
          create: (session) => ({
            async read({ key }) {
              // A segment of dots would be a path outside of the realm's folder.
              if (/^\.+$/.test(key)) return undefined;
              const filledPath = secretPath(path, session.realm.name, key);
              const data = (await client.read(session, `${mount}/data/${filledPath}`))?.data as Record<
                string,
                unknown
              > | null;
              const value = data?.[field.replaceAll('{key}', key)];
              return typeof value === 'string' && value !== '' ? { value } : undefined;
            },
            async background() {
              return { again: await client.renew(session) };
            },
          }),
        };
      },
    }),
  ],
} satisfies Plugin;
