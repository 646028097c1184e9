import type { Endpoint, Exchange } from '../../http/exchange.js';
import { parseForm } from '../../http/form.js';
import { linkToClient } from '../../model/link-to-client.js';
import { redirectUriOf } from '../../oidc/authorization/redirect-uris.js';
import type { PageWriter } from '../../pages/page-writer.js';
import { END_OF_LINK_PATH } from './browser-link-logins.js';

/**
 * `…/login-actions/detached-info`: shows the result of a link outside a login. The page depends only on its URL, and
 * changes nothing.
 */
export function endOfLinkEndpoint({ pages }: { pages: PageWriter }): Endpoint {
  return { path: END_OF_LINK_PATH, cors: 'none', methods: { GET: (exchange) => show(pages, exchange) } };
}

async function show(pages: PageWriter, exchange: Exchange): Promise<void> {
  const query = parseForm(exchange.ctx.querystring);
  const client = exchange.realm.clients.get(query.get('client_id') ?? '');
  if (query.isPresent('error')) {
    const message = { severity: 'error', key: 'accountNotUpdatedMessage' } as const;
    return pages.show(exchange, 400, { page: 'error', ...linkToClient('backUrl', client) }, { client, message });
  }
  const requestedUri = query.get('redirect_uri');
  const uri = client === undefined || requestedUri === undefined ? undefined : redirectUriOf(client, requestedUri);
  const target =
    uri === undefined || !/^https?:/i.test(uri) ? linkToClient('continueUrl', client) : { continueUrl: uri };
  const message = { severity: 'success', key: 'accountUpdatedMessage' } as const;
  await pages.show(
    exchange,
    200,
    { page: 'info', title: { key: 'accountUpdatedTitle' }, ...target },
    { client, message },
  );
}
