import type { MultipartForm } from '../../http/multipart.js';
import type { KeyMaker } from '../../keys/key-material.js';
import type { KeyRing } from '../../keys/key-ring.js';
import type { Clock } from '../../model/clock.js';
import { MASK } from '../../model/mask.js';
import type { Realm } from '../../model/realm.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { Users } from '../../users/users.js';
import { notFoundError } from '../admin.js';
import { mayManageClient, requireManagedClient } from '../clients/client-rights.js';
import { requireClient } from '../clients/find-client.js';
import type { AdminCall, AdminOperation } from '../operation.js';
import { type ClientCredential, credentialOf, keySetOf, putCredential } from './credential-attributes.js';
import { KEYSTORE_SCHEMA, type KeystoreConfig, requireKeystoreConfig, writeKeystore } from './keystore.js';
import { createCredential } from './new-credential.js';
import { keySetRepresentation, readUploadedCredential } from './uploaded-credential.js';

export interface CertificateParts {
  readonly edits: RealmEdits;
  readonly users: Users;
  readonly keys: KeyRing;
  readonly makeKey: KeyMaker;
  readonly clock: Clock;
}

const TAG = 'Client Attribute Certificate';
const PATH = '/clients/{clientUuid}/certificates/{attribute}';
const CREDENTIAL = { status: 200, body: { type: 'object' } } as const;
const KEYSTORE = { status: 200, body: { type: 'string', format: 'binary' } } as const;
const EVENT = { resourceType: 'CLIENT', operation: 'ACTION' } as const;
const MANAGER_ROLES = ['manage-clients'];

/** The keys and certificates in attributes of clients (Keycloak's ClientAttributeCertificateResource). */
export function certificateOperations(parts: CertificateParts): AdminOperation[] {
  const { users, clock, makeKey } = parts;
  return [
    {
      method: 'GET',
      path: PATH,
      tag: TAG,
      summary: 'The key and certificate of an attribute such as jwt.credential',
      roles: ['view-clients'],
      answers: CREDENTIAL,
      async handle(call) {
        const client = requireClient(call.realm.representation, call.params.clientUuid);
        const { privateKey, ...publicMembers } = credentialOf(client, attributeName(call));
        const keySet = keySetOf(client, attributeName(call));
        // Stricter than Keycloak: a caller who may only view clients does not see their private keys.
        const visibleKey = privateKey && ((await mayManageClient(users, call, client)) ? privateKey : MASK);
        return credentialAnswer({
          ...(visibleKey ? { privateKey: visibleKey } : {}),
          ...publicMembers,
          ...(keySet ? keySetRepresentation(keySet) : {}),
        });
      },
    },
    {
      method: 'POST',
      path: `${PATH}/generate`,
      tag: TAG,
      summary: 'Generate a key of 4096 bits with a certificate for three years; both are stored',
      roles: MANAGER_ROLES,
      answers: CREDENTIAL,
      event: EVENT,
      async handle(call) {
        const { clientId } = await requireManagedClient(users, call);
        return credentialAnswer(
          await storeCredential(
            parts,
            call,
            await createCredential(makeKey, { realm: call.realm.name, clientId }, {}, clock.now()),
          ),
        );
      },
    },
    ...(['upload', 'upload-certificate'] as const).map(
      (action): AdminOperation => ({
        method: 'POST',
        path: `${PATH}/${action}`,
        tag: TAG,
        summary: action === 'upload' ? 'Upload a key with its certificate' : 'Upload a certificate or a public key',
        roles: MANAGER_ROLES,
        formBody: true,
        answers: CREDENTIAL,
        event: EVENT,
        async handle(call) {
          await requireManagedClient(users, call);
          const uploaded = await readUploadedCredential(
            call.realm.name,
            call.body as MultipartForm,
            attributeName(call),
          );
          const { privateKey, ...publicMembers } = uploaded;
          return credentialAnswer(await storeCredential(parts, call, action === 'upload' ? uploaded : publicMembers));
        },
      }),
    ),
    {
      method: 'POST',
      path: `${PATH}/download`,
      tag: TAG,
      summary: 'A keystore (PKCS12) with the certificate, and the private key if the client has it',
      roles: MANAGER_ROLES,
      body: KEYSTORE_SCHEMA,
      answers: KEYSTORE,
      async handle(call) {
        const client = await requireManagedClient(users, call);
        const config = call.body as KeystoreConfig;
        const credential = credentialOf(client, attributeName(call));
        if (credential.certificate === undefined) throw notFoundError('keypair not generated for client');
        requireKeystoreConfig(config, credential.privateKey === undefined ? ['store'] : ['store', 'key'], 'download');
        return fileAnswer(await createKeystore(parts, call.realm, config, client.clientId, credential));
      },
    },
    {
      method: 'POST',
      path: `${PATH}/generate-and-download`,
      tag: TAG,
      summary: 'Generate a key in a keystore (PKCS12); only the certificate is stored',
      roles: MANAGER_ROLES,
      body: KEYSTORE_SCHEMA,
      answers: KEYSTORE,
      event: EVENT,
      async handle(call) {
        const { clientId } = await requireManagedClient(users, call);
        const config = call.body as KeystoreConfig;
        requireKeystoreConfig(config, ['key', 'store'], 'generation and download');
        const credential = await createCredential(makeKey, { realm: call.realm.name, clientId }, config, clock.now());
        const content = await createKeystore(parts, call.realm, config, clientId, credential);
        await storeCredential(parts, call, { certificate: credential.certificate });
        return fileAnswer(content);
      },
    },
  ];
}

function attributeName({ params }: AdminCall): string {
  return params.attribute ?? '';
}

async function storeCredential({ edits }: CertificateParts, call: AdminCall, credential: ClientCredential) {
  call.setEventDetails({ eventRepresentation: credential });
  await edits.edit(call.realm.name, (draft) => {
    putCredential(requireClient(draft, call.params.clientUuid), attributeName(call), credential);
  });
  return credential;
}

async function createKeystore(
  { keys }: CertificateParts,
  realm: Realm,
  config: KeystoreConfig,
  clientId: string,
  credential: ClientCredential,
): Promise<Buffer> {
  const ring = config.realmCertificate === false ? undefined : await keys.realm(realm.name);
  const realmCertificate = ring?.describe((await ring.active('RS256')).kid)?.certificate;
  return writeKeystore(realm.name, credential, config, config.keyAlias || clientId, realmCertificate);
}

function credentialAnswer(credential: ClientCredential) {
  return { status: 200, body: credential, isSecret: true } as const;
}

function fileAnswer(content: Buffer) {
  return { status: 200, text: { type: 'application/octet-stream', content }, isSecret: true } as const;
}
