import type { Exchange } from '../../http/exchange.js';
import type { PageWriter } from '../../pages/page-writer.js';
import type { AnswerTarget } from './authorization-request.js';
import { splitFragment } from './redirect-uris.js';

/**
 * Redirects the browser to the client with the given parameters, `state` and `iss` (RFC 9207): a 302 with them in query
 * or fragment, or a page whose form posts them.
 */
export async function answerClient(
  pages: PageWriter,
  exchange: Exchange,
  target: AnswerTarget,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { ctx, realm } = exchange;
  const client = realm.clients.get(target.clientId);
  const responseParameters: [string, string][] = [];
  if (target.state !== undefined) responseParameters.push(['state', target.state]);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) responseParameters.push([name, value]);
  const namesIssuer = !isHostPage(target) && client?.settings.authorizationResponseIssuer !== false;
  if (namesIssuer) responseParameters.push(['iss', realm.issuer]);
  ctx.set('Cache-Control', 'no-store, must-revalidate, max-age=0');
  ctx.set('Referrer-Policy', 'no-referrer');
  if (target.responseMode === 'form_post') {
    await pages.show(
      exchange,
      200,
      { page: 'form-post', action: target.redirectUri, fields: responseParameters },
      {
        client,
        formTargets: ['https:', 'http:'],
      },
    );
    return;
  }
  ctx.status = 302;
  ctx.set(
    'Location',
    withParameters(target.redirectUri, target.responseMode, new URLSearchParams(responseParameters).toString()),
  );
  ctx.body = '';
}

/** True if the response is a page of the host instead of a redirect to the client. */
function isHostPage({ userCode, linkOnly }: Pick<AnswerTarget, 'userCode' | 'linkOnly'>): boolean {
  return userCode !== undefined || linkOnly === true;
}

/**
 * Adds parameters to a registered URI, which retains its own query and fragment. Query parameters follow its query;
 * fragment parameters follow its fragment. Characters that a header cannot contain are percent-encoded.
 */
export function withParameters(uri: string, mode: 'query' | 'fragment', parameters: string): string {
  const encodedUri = uri.replace(/[^!-~]+/g, encodeURIComponent);
  if (parameters === '') return encodedUri;
  const [base, fragment] = splitFragment(encodedUri);
  if (mode === 'fragment') return `${base}#${fragment ? `${fragment}&` : ''}${parameters}`;
  const uriWithQuery = `${base}${base.includes('?') ? '&' : '?'}${parameters}`;
  return fragment === undefined ? uriWithQuery : `${uriWithQuery}#${fragment}`;
}
