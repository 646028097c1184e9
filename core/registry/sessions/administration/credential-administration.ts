import type { CredentialAdministration, ManagedCredential } from '@keyhost/spi';
import type { Request } from './administered-realm.js';
import { expectDone, expectJson, expectOptional, pathOf } from './answer.js';

interface CredentialRepresentation extends Omit<ManagedCredential, 'label'> {
  readonly userLabel?: string;
}

export function credentialAdministration(request: Request): Omit<CredentialAdministration, 'verify'> {
  return {
    async ofUser(userId) {
      const credentials = await expectJson<readonly CredentialRepresentation[]>(
        request('GET', pathOf('users', userId, 'credentials')),
      );
      return credentials.map(({ id, type, userLabel, createdDate }) => ({
        id,
        type,
        ...(userLabel !== undefined && { label: userLabel }),
        ...(createdDate !== undefined && { createdDate }),
      }));
    },
    async setPassword(userId, password, { temporary = false } = {}) {
      const body = { type: 'password', value: password, temporary };
      await expectDone(request('PUT', pathOf('users', userId, 'reset-password'), body));
    },
    remove: async (userId, credentialId) =>
      (await expectOptional(request('DELETE', pathOf('users', userId, 'credentials', credentialId)))) !== undefined,
  };
}
