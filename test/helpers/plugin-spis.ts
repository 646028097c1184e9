const CONTRACT = `import { spi } from '@keyhost/spi';
export const Channel = spi({
  id: 'acme-channel',
  name: 'Channel',
  methods: { required: ['send'], optional: ['price'] },
  declares: {
    type: 'object',
    properties: { countries: { type: 'array', items: { type: 'string' } } },
    required: ['countries'],
    additionalProperties: false,
  },
  answers: { send: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
});`;

type Files = Record<string, string>;

/** A package with its own copy of the contract package in node_modules, as npm would install it. */
function withContract(source: string, contract: string): Files {
  const manifest = { name: 'acme-channel', version: '1.0.0', type: 'module', exports: './index.js' };
  return {
    'index.js': source,
    'node_modules/acme-channel/package.json': JSON.stringify(manifest),
    'node_modules/acme-channel/index.js': contract,
  };
}

/**
 * The package that declares the SPI `acme-channel` and uses it: `GET /realms/{realm}/notices/{country}` sends through
 * every channel.
 */
export function noticesPackage({ contract = CONTRACT, spis = '[Channel]', more = '' } = {}): Files {
  return withContract(
    `import { provide, RealmResourceProvider } from '@keyhost/spi';
import { Channel } from 'acme-channel';
export default { name: 'acme-notices', api: 1, spis: ${spis}, providers: [provide(RealmResourceProvider, {
  id: 'notices',
  routes: { notify: { method: 'GET', path: '/{country}' } },
  open: () => ({
    create: (session) => ({
      async notify({ params: { country }, query: { text = ['hello'] } }) {
        const told = {};
        for (const { id, declaration, provider } of await session.providers(Channel)) {
          if (!declaration.countries.includes(country)) continue;
          try {
            ${more}
            const { id: sent } = await provider.send('you', text[0]);
            told[id] = [sent, (await provider.price?.('you')) ?? null];
          } catch ({ code = null, status = null, message }) {
            told[id] = { code, status, message };
          }
        }
        return { body: told };
      },
    }),
  }),
})] };`,
    contract,
  );
}

/** A package with one channel of this ID; `send` is the body of its method. */
export function channelPackage(
  id: string,
  send: string,
  { contract = CONTRACT, provider = '', declaration = "countries: ['AT'],", name = `acme-${id}` } = {},
): Files {
  return withContract(
    `import { HostError, provide } from '@keyhost/spi';
import { Channel } from 'acme-channel';
export default { name: '${name}', api: 1, providers: [provide(Channel, {
  id: '${id}', ${declaration}
  realmConfig: { type: 'object', properties: { sender: { type: 'string', default: 'ACME' } }, additionalProperties: false },
  open: () => ({ create: (session, { sender }) => ({ async send(to, text) { ${send} }, ${provider} }) }),
})] };`,
    contract,
  );
}

/** The contract with one part replaced. */
export function contractWith(part: string, other: string): string {
  return CONTRACT.replace(part, other);
}
