import { queryOptions } from '@tanstack/react-query';
import { CLIENT_READERS, CLIENT_WRITERS, clientKey, clientPath } from './clients.ts';
import { request } from './request.ts';

/** Keycloak's CertificateRepresentation, without secret members. */
export interface ClientKeys {
  /** Base64 of a certificate. */
  readonly certificate?: string;
  readonly publicKey?: string;
  /** A key set as JSON text. */
  readonly jwks?: string;
  readonly kid?: string;
}

/** Formats of imported keys, by the host's names. */
export const KEY_FORMATS = ['Certificate PEM', 'Public Key PEM', 'JSON Web Key Set'] as const;
export type KeyFormat = (typeof KEY_FORMATS)[number];

const keysPath = (realm: string, id: string) => `${clientPath(realm, id)}/certificates/jwt.credential`;

/** The public keys that the JWTs of a client are verified with. */
export function clientKeys(realm: string, id: string) {
  return queryOptions({
    queryKey: [...clientKey(realm, id), 'keys'],
    queryFn: async ({ signal }): Promise<ClientKeys> => {
      const { privateKey: _, ...keys } = await request<ClientKeys & { readonly privateKey?: string }>(
        keysPath(realm, id),
        { roles: CLIENT_READERS, signal },
      );
      return keys;
    },
  });
}

/** Replaces the keys of a client. */
export function importKeys(
  realm: string,
  id: string,
  { format, text, ifMatch }: { format: KeyFormat; text: string; ifMatch: string | undefined },
): Promise<void> {
  const form = new FormData();
  form.set('keystoreFormat', format);
  form.set('file', new Blob([text]), 'keys');
  return request(`${keysPath(realm, id)}/upload-certificate`, {
    method: 'POST',
    form,
    ifMatch,
    roles: CLIENT_WRITERS,
  });
}
