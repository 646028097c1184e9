import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Plugin, provide, Vault } from '@keyhost/spi';
import { codeOf } from '../model/thrown.js';
import { isFileKey } from '../model/vault-reference.js';

/**
 * Keycloak's `files-plaintext`: one file per secret, named `REALM_KEY` with each `_` in both parts doubled. Kubernetes
 * mounts its secrets in this form. Unlike in Keycloak, a key cannot begin with `_`. Otherwise `_b` of the realm `a` and
 * `b` of the realm `a_` would both be the file `a___b`.
 * @param dir undefined: there is no vault
 */
export function filesVault(dir: string | undefined): Plugin {
  const vault = (folder: string) =>
    provide(Vault, {
      id: 'files-plaintext',
      describe: { displayName: 'Files', helpText: 'A file for each secret.' },
      open: () => ({
        create: ({ realm }) => ({
          async read({ key }) {
            if (!isFileKey(key)) return undefined;
            try {
              const text = await readFile(
                join(folder, `${doubleUnderscores(realm.name)}_${doubleUnderscores(key)}`),
                'utf8',
              );
              // Remove the final line break that editors and `echo` add.
              const value = text.replace(/\r?\n$/, '');
              return value === '' ? undefined : { value };
            } catch (error) {
              if (codeOf(error) === 'ENOENT') return undefined;
              throw error;
            }
          },
        }),
      }),
    });
  return { name: 'keyhost-files-vault', api: 1, providers: dir === undefined ? [] : [vault(dir)] };
}

const doubleUnderscores = (text: string) => text.replaceAll('_', '__');
