import { readFile } from 'node:fs/promises';
import { type Answer, fetchAnswer, type TestHost } from './host.js';

/** A file of `test/fixtures/keystores`. */
export function keystoreFixture(name: string): Promise<Buffer> {
  return readFile(new URL(`../../../test/fixtures/keystores/${name}`, import.meta.url));
}

/** The text fields of an upload form. */
export type UploadTexts = Readonly<Record<string, string>>;

/** Uploads a file as Keycloak's console does, with a token of the admin of that realm or `master`. */
export async function uploader(host: TestHost, token: string, clientUuid: string) {
  return (what: string, file: Buffer | string | undefined, texts: UploadTexts): Promise<Answer> => {
    const form = new FormData();
    for (const [name, value] of Object.entries(texts)) form.set(name, value);
    if (file !== undefined) form.set('file', new Blob([new Uint8Array(Buffer.from(file))]), 'upload');
    return fetchAnswer(`${host.url}/admin/realms/${host.defaultRealm}/clients/${clientUuid}/certificates/${what}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
  };
}
