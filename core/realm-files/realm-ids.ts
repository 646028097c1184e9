import type { Problem } from '../config/problem.js';
import type { CheckedFile } from './checked-file.js';

/** The IDs of realms, by the realm and the file that has each. No two realms may have the same ID. */
export class RealmIds {
  readonly #owners = new Map<string, { readonly realm: string; readonly path: string | undefined }>();

  /** @param path the realm's file; undefined if it has none */
  add(id: string, realm: string, path: string | undefined): void {
    this.#owners.set(id, { realm, path });
  }

  /**
   * Assigns the ID in a file to its realm.
   * @returns the problem of the file if another realm has the ID
   */
  claim({ representation: { id, realm }, idPosition, source }: CheckedFile): Problem | undefined {
    if (id === undefined) return undefined;
    const owner = this.#owners.get(id);
    const file = source.files[0]?.path ?? '';
    if (owner === undefined) this.add(id, realm, file);
    if (owner === undefined || owner.realm === realm) return undefined;
    const place = owner.path === undefined ? '' : ` in ${owner.path}`;
    return { file, ...idPosition, path: 'id', message: `the realm "${owner.realm}"${place} has the same ID` };
  }
}
