import type { AdminEvent } from '@keyhost/spi';
import { defined } from '../model/defined.js';
import { MASTER_REALM, type Realm } from '../model/realm.js';
import type { Realms } from '../realms/realms.js';
import type { Events } from '../registry/events/events.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import { maskRepresentation } from './mask-representation.js';
import type { AdminAnswer, AdminCall, AdminOperation, EventDetails } from './operation.js';

const EVENT_OPERATIONS = { GET: undefined, POST: 'CREATE', PUT: 'UPDATE', DELETE: 'DELETE' } as const;

/**
 * Runs an operation, and records its admin event if it has one and the realm saves events or has listeners. The event
 * is built and masked before anything is written, and stored in the transaction of the first change.
 * @param path the path of the request below `/admin`
 */
export async function handleWithEvent(
  { realms, events, sessions }: { readonly realms: Realms; readonly events: Events; readonly sessions: SessionFactory },
  operation: AdminOperation,
  call: Omit<AdminCall, 'setEventDetails'>,
  path: string,
): Promise<{ answer: AdminAnswer; details: EventDetails }> {
  const { caller } = call;
  let details: EventDetails = {};
  const run = async (isWritten: () => boolean) => {
    const addDetails = (newDetails: EventDetails) => {
      if (isWritten()) throw new Error(`${operation.method} ${operation.path} tells of what it has changed already`);
      details = { ...details, ...newDetails };
    };
    return { answer: await operation.handle({ ...call, setEventDetails: addDetails }), details };
  };
  const { event } = operation;
  if (event === undefined || (event.operation ?? EVENT_OPERATIONS[operation.method]) === undefined)
    return run(() => false);
  const realm = await realmOfEvent(realms, event, call);
  if (realm === undefined) return run(() => false);
  return events.emitAdminWithChange(
    realm,
    () => (details.unchanged === true ? undefined : toAdminEvent(operation, event, call, path, details)),
    () => sessions.create(realm, caller, 'keyhost'),
    run,
    event,
  );
}

async function realmOfEvent(
  realms: Realms,
  { ofMaster, ofRealmIn }: NonNullable<AdminOperation['event']>,
  { realm, params }: Pick<AdminCall, 'realm' | 'params'>,
): Promise<Realm | undefined> {
  if (ofMaster === true) return realms.get(MASTER_REALM);
  return ofRealmIn === undefined ? realm : ((await realms.get(params[ofRealmIn] ?? '')) ?? realm);
}

function toAdminEvent(
  operation: AdminOperation,
  event: NonNullable<AdminOperation['event']>,
  { admin, caller, body, realm }: Omit<AdminCall, 'setEventDetails'>,
  path: string,
  { created, eventRepresentation, texts, resourceType, operationType }: EventDetails,
): Omit<AdminEvent, 'id' | 'time' | 'realmId' | 'realmName'> {
  const resourcePath = path.replace(/^\/(realms(\/[^/]+)?\/?)?/, '');
  const representation = maskRepresentation(eventRepresentation ?? body) as AdminEvent['representation'] | undefined;
  return defined({
    operationType: operationType ?? event.operation ?? EVENT_OPERATIONS[operation.method] ?? 'ACTION',
    resourceType: resourceType ?? event.resourceType,
    resourcePath:
      created !== undefined ? createdPath(resourcePath, created) : event.ofMaster ? realm.name : resourcePath,
    authDetails: {
      realmId: admin.realm.id,
      clientId: admin.clientId,
      userId: admin.userId,
      ipAddress: caller.ip,
    },
    representation,
    details: texts,
  });
}

/** The path of a created resource, relative to the realm. */
function createdPath(parentPath: string, createdResource: string): string {
  return createdResource.startsWith('/')
    ? createdResource.slice(1)
    : [parentPath, createdResource].filter(Boolean).join('/');
}
