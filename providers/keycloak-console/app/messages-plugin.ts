import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parse } from 'dot-properties';
import type { Plugin } from 'vite';

const NAME = 'virtual:messages';
const FILE = /^messages_([A-Za-z_]+)\.properties$/;

/**
 * Keycloak's texts as modules, one for each language, loaded on demand. None of Keycloak's own packages contains them.
 */
export function messages(): Plugin {
  const source = dirname(createRequire(import.meta.url).resolve('@keycloakify/keycloak-admin-ui/package.json'));
  const folder = join(source, 'keycloak-theme', 'admin', 'i18n');
  const files = new Map(
    readdirSync(folder).flatMap((file): [string, string][] => {
      const [, locale] = FILE.exec(file) ?? [];
      return locale === undefined ? [] : [[locale.replaceAll('_', '-'), join(folder, file)]];
    }),
  );
  return {
    name: 'messages',
    resolveId: (id) => (id === NAME || id.startsWith(`${NAME}/`) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${NAME}`)) return undefined;
      const language = id.slice(NAME.length + 2);
      const file = files.get(language);
      if (file !== undefined) return `export default ${JSON.stringify(parse(readFileSync(file, 'utf8')))}`;
      const loads = [...files.keys()].map((one) => `${JSON.stringify(one)}: () => import('${NAME}/${one}')`);
      return `export const languages = { ${loads.join(', ')} };`;
    },
  };
}
