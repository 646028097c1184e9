import { badRequest } from './admin.js';
import { type AdminCall, type AdminOperation, ok } from './operation.js';

const NONE = Object.freeze({ enabled: false });

/**
 * Creates the operations of `…/management/permissions`: fine-grained permissions of one object, or of all users. They
 * are always disabled.
 * @param endpoint the path, and the roles to read and manage the object
 * @param find throws if the object does not exist
 */
export function managementPermissions(
  endpoint: { path: string; tag: string; view: readonly string[]; manage: readonly string[] },
  find: (call: AdminCall) => void = () => undefined,
): AdminOperation[] {
  const { path } = endpoint;
  return [
    {
      method: 'GET',
      path,
      tag: endpoint.tag,
      summary: 'Whether fine-grained permissions are enabled',
      roles: endpoint.view,
      answers: { status: 200, body: { type: 'object', properties: { enabled: { type: 'boolean' } } } },
      handle(call) {
        find(call);
        return ok(NONE);
      },
    },
    {
      method: 'PUT',
      path,
      tag: endpoint.tag,
      summary: 'Disable fine-grained permissions',
      roles: endpoint.manage,
      body: { type: 'object', properties: { enabled: { type: 'boolean' } } },
      answers: { status: 200, body: { type: 'object', properties: { enabled: { type: 'boolean' } } } },
      handle(call) {
        find(call);
        if ((call.body as { enabled?: boolean }).enabled === true) {
          throw badRequest('Keyhost has no fine-grained permissions: use the roles of realm-management');
        }
        return ok(NONE);
      },
    },
  ];
}
