import type { Spi } from '@keyhost/spi';
import { methodsOf } from '../../registry/loading/host-spis.js';

/** The files of a plugin for an SPI without a template. Its provider rejects every call. */
export function generalTemplate(spi: Spi): Record<string, string> {
  const names = methodsOf(spi, { declaration: {} }).required ?? [];
  const methods = names.map(
    (name) => `          async ${name}() {
            throw new HostError('not_written', '${name} is not implemented yet', { status: 501 });
          },
`,
  );
  const imports = [spi.name, 'Plugin', 'provide', ...(names.length > 0 ? ['HostError'] : [])]
    .sort((a, b) => a.toLowerCase().localeCompare(b.toLowerCase()))
    .map((name) => (name === 'Plugin' ? 'type Plugin' : name));
  const created = methods.length > 0 ? `({\n${methods.join('\n')}        })` : '({})';
  return {
    'index.ts': `import { ${imports.join(', ')} } from '@keyhost/spi';

export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(${spi.name}, {
      id: '__id__',
      open: () => ({
        create: () => ${created},
      }),
    }),
  ],
} satisfies Plugin;
`,
    'index.test.ts': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHost } from '@keyhost/spi/testing';
import plugin from './index.js';

test('a host opens it', async (t) => {
  const { bootTree } = await startHost(t, { plugins: [plugin] });
  assert.match(bootTree, /${spi.id}\\/__id__/);
});
`,
    'README.md': `A provider of \`${spi.id}\`.\n`,
  };
}
