import {
  AdminPage,
  type AdminPageDeclaration,
  HostError,
  type JsonObject,
  type PageAnswer,
  type PageOperation,
  type PageRefusal,
  type PageRequest,
  type PageSubject,
} from '@keyhost/spi';
import { readQuery } from '../../http/query.js';
import { defined } from '../../model/defined.js';
import { createProvider, enabledProvider } from '../../registry/generations/realm-providers.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import { AdminError, badRequest, notFoundError } from '../admin.js';
import { type AdminCall, requireExchange } from '../operation.js';
import type { RegisteredPage } from './find-page.js';

/** Maximum number of table rows per request. */
const ROWS_LIMIT = 100;
/** Maximum number of parameters for the page, and of characters in each. */
const PARAMETERS_LIMIT = 20;
const VALUE_LIMIT = 2000;
/** Parameters that the host uses itself. */
const HOST_PARAMETERS = new Set(['first', 'max', 'search', 'subject']);

/** A call of a page, with its checked parts. */
export interface PageCall {
  readonly page: RegisteredPage;
  readonly operation: string;
  readonly subject: PageSubject | undefined;
  readonly body: JsonObject | undefined;
}

/** Finds the operation with this name. @throws AdminError 404 */
export function requireOperation({ operations }: AdminPageDeclaration, name: string): PageOperation {
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (operation === undefined) throw notFoundError('The page does not have this operation');
  return operation;
}

/**
 * Calls the provider with the admin as its principal. Its session has no credentials, because only the host may see an
 * admin's token.
 * @throws AdminError 400 if the provider rejects the request; HostError as providers throw, and for an invalid answer
 */
export async function callPage(
  sessions: SessionFactory,
  call: AdminCall,
  { page, operation, subject, body }: PageCall,
): Promise<Exclude<PageAnswer, PageRefusal>> {
  const { realm } = call;
  const enabled = enabledProvider(call.caller.providers, realm, AdminPage, page.id);
  if (enabled === undefined) throw notFoundError('Page not found in this realm');
  const request = toPageRequest(call, subject, body);
  const { authorization: _, ...caller } = call.caller;
  const session = sessions.create(realm, caller, page.plugin.name);
  try {
    const method = createProvider(enabled, session)[operation];
    if (method === undefined) throw new Error(`${page.plugin.name} has no method ${operation}`);
    const answer = await session.withTimeLimit(method(request));
    if (isRefusal(answer)) throw toAdminError(answer);
    return answer as Exclude<PageAnswer, PageRefusal>;
  } catch (error) {
    throw withoutUnauthorized(error, page);
  } finally {
    await session.close();
  }
}

function toPageRequest(call: AdminCall, subject: PageSubject | undefined, body: JsonObject | undefined): PageRequest {
  const { admin, query } = call;
  const { user, client } = admin.tokenAdmin;
  const { first, max } = query.page();
  return defined({
    admin: {
      realm: admin.realm.name,
      userId: user.id,
      username: user.username,
      clientId: client.clientId,
    },
    subject,
    first,
    max: Math.min(max, ROWS_LIMIT),
    search: query.string('search'),
    query: pageParameters(requireExchange(call).ctx.querystring),
    body,
  }) as PageRequest;
}

/** The parameters for the page. @throws AdminError 400 */
function pageParameters(querystring: string): Readonly<Record<string, string>> {
  const values: Record<string, string> = Object.create(null);
  const parameters = [...readQuery(querystring)].filter(([name]) => !HOST_PARAMETERS.has(name));
  if (parameters.length > PARAMETERS_LIMIT) throw badRequest(`the query has more than ${PARAMETERS_LIMIT} parameters`);
  for (const [name, value] of parameters) {
    if (name in values) throw badRequest(`the query has a parameter twice`);
    if (name.length + value.length > VALUE_LIMIT) {
      throw badRequest(`a parameter of the query has more than ${VALUE_LIMIT} characters`);
    }
    values[name] = value;
  }
  return values;
}

function isRefusal(answer: PageAnswer): answer is PageRefusal {
  return answer !== undefined && 'error' in answer && answer.error !== undefined;
}

function toAdminError({ error, error_description, errors }: PageRefusal): AdminError {
  return new AdminError(400, defined({ error, error_description, errors }));
}

/**
 * Replaces a 401 of the provider. The admin's token is valid, so the provider is at fault, and the admin must not be
 * asked to sign in again.
 */
function withoutUnauthorized(error: unknown, { plugin, id }: RegisteredPage): unknown {
  if ((error as { status?: unknown } | undefined)?.status !== 401) return error;
  return new HostError('page_asks_credentials', `${plugin.name}: the page ${id} asked for credentials`, {
    status: 502,
    cause: error,
  });
}
