import type { MultipartForm } from '../../http/multipart.js';
import type { KeyMaker } from '../../keys/key-material.js';
import type { KeyRing } from '../../keys/key-ring.js';
import type { Clock } from '../../model/clock.js';
import { MASK } from '../../model/mask.js';
import type { Realm } from '../../model/realm.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { Users } from '../../users/users.js';
import { notFound } from '../admin.js';
import { managedClient, mayManage } from '../clients/client-rights.js';
import { clientWithId } from '../clients/find-client.js';
import type { AdminCall, AdminOperation } from '../operation.js';
import { type ClientCredential, credentialOf, keySetOf, putCredential } from './credential-attributes.js';
import { KEYSTORE_SCHEMA, type KeystoreConfig, keystoreOf, requireKeystore } from './keystore.js';
import { newCredential } from './new-credential.js';
import { shownKeySet, uploadedCredential } from './uploaded-credential.js';

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
const MANAGES = ['manage-clients'];

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
        const client = clientWithId(call.realm.representation, call.params.clientUuid);
        const { privateKey, ...open } = credentialOf(client, nameIn(call));
        const keySet = keySetOf(client, nameIn(call));
        // Stricter than Keycloak: a caller who may only see clients does not see their private keys.
        const shown = privateKey && ((await mayManage(users, call, client)) ? privateKey : MASK);
        return answer({ ...(shown ? { privateKey: shown } : {}), ...open, ...(keySet ? shownKeySet(keySet) : {}) });
      },
    },
    {
      method: 'POST',
      path: `${PATH}/generate`,
      tag: TAG,
      summary: 'Generate a key of 4096 bits with a certificate for three years; both are stored',
      roles: MANAGES,
      answers: CREDENTIAL,
      event: EVENT,
      async handle(call) {
        const { clientId } = await managedClient(users, call);
        return answer(
          await keep(parts, call, await newCredential(makeKey, { realm: call.realm.name, clientId }, {}, clock.now())),
        );
      },
    },
    ...(['upload', 'upload-certificate'] as const).map(
      (what): AdminOperation => ({
        method: 'POST',
        path: `${PATH}/${what}`,
        tag: TAG,
        summary: what === 'upload' ? 'Upload a key with its certificate' : 'Upload a certificate or a public key',
        roles: MANAGES,
        formBody: true,
        answers: CREDENTIAL,
        event: EVENT,
        async handle(call) {
          await managedClient(users, call);
          const sent = await uploadedCredential(call.realm.name, call.body as MultipartForm, nameIn(call));
          const { privateKey, ...open } = sent;
          return answer(await keep(parts, call, what === 'upload' ? sent : open));
        },
      }),
    ),
    {
      method: 'POST',
      path: `${PATH}/download`,
      tag: TAG,
      summary: 'A keystore (PKCS12) with the certificate, and the private key if the client has it',
      roles: MANAGES,
      body: KEYSTORE_SCHEMA,
      answers: KEYSTORE,
      async handle(call) {
        const client = await managedClient(users, call);
        const config = call.body as KeystoreConfig;
        const credential = credentialOf(client, nameIn(call));
        if (credential.certificate === undefined) throw notFound('keypair not generated for client');
        requireKeystore(config, credential.privateKey === undefined ? ['store'] : ['store', 'key'], 'download');
        return file(await keystore(parts, call.realm, config, client.clientId, credential));
      },
    },
    {
      method: 'POST',
      path: `${PATH}/generate-and-download`,
      tag: TAG,
      summary: 'Generate a key in a keystore (PKCS12); only the certificate is stored',
      roles: MANAGES,
      body: KEYSTORE_SCHEMA,
      answers: KEYSTORE,
      event: EVENT,
      async handle(call) {
        const { clientId } = await managedClient(users, call);
        const config = call.body as KeystoreConfig;
        requireKeystore(config, ['key', 'store'], 'generation and download');
        const made = await newCredential(makeKey, { realm: call.realm.name, clientId }, config, clock.now());
        const written = await keystore(parts, call.realm, config, clientId, made);
        await keep(parts, call, { certificate: made.certificate });
        return file(written);
      },
    },
  ];
}

function nameIn({ params }: AdminCall): string {
  return params.attribute ?? '';
}

async function keep({ edits }: CertificateParts, call: AdminCall, credential: ClientCredential) {
  call.setEventDetails({ eventRepresentation: credential });
  await edits.edit(call.realm.name, (draft) => {
    putCredential(clientWithId(draft, call.params.clientUuid), nameIn(call), credential);
  });
  return credential;
}

async function keystore(
  { keys }: CertificateParts,
  realm: Realm,
  config: KeystoreConfig,
  clientId: string,
  credential: ClientCredential,
): Promise<Buffer> {
  const ring = config.realmCertificate === false ? undefined : await keys.realm(realm.name);
  const realms = ring?.describe((await ring.active('RS256')).kid)?.certificate;
  return keystoreOf(realm.name, credential, config, config.keyAlias || clientId, realms);
}

function answer(credential: ClientCredential) {
  return { status: 200, body: credential, isSecret: true } as const;
}

function file(content: Buffer) {
  return { status: 200, text: { type: 'application/octet-stream', content }, isSecret: true } as const;
}
