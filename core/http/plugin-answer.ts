import { HostError, type ResourceResponse } from '@keyhost/spi';
import type { Context } from 'koa';
import { writeJson } from './errors.js';

/**
 * Gives a plugin's document a unique origin, so that its scripts reach neither the host's cookies nor its pages. In the
 * origin of the admin console, they could obtain an admin's authorization code. The sandbox omits allow-top-navigation,
 * so the document cannot navigate the page that frames it.
 */
const SANDBOX =
  'sandbox allow-scripts allow-forms allow-modals allow-downloads allow-popups allow-popups-to-escape-sandbox';

/** Chromium shows no PDF in a sandbox. Scripts of a PDF run in the viewer, not in the origin of the response. */
const PDF_TYPE = 'application/pdf';

const SCRIPT_DESTINATIONS: readonly string[] = [
  'script',
  'worker',
  'sharedworker',
  'serviceworker',
  'audioworklet',
  'paintworklet',
];

/**
 * The only function that writes a plugin's bytes as a response. It sandboxes all types, because which types run scripts
 * depends on the browser. A Content-Security-Policy of the plugin is sent in addition, and browsers enforce both. The
 * request session has already validated the headers (`wrongHeaders`).
 * @throws HostError 403
 */
export function writePluginAnswer(ctx: Context, { status, headers = {}, body }: ResourceResponse): void {
  refuseScriptRequests(ctx);
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === 'vary') ctx.append('Vary', value);
    else ctx.set(name, value);
  }
  if (body === undefined) {
    ctx.status = status ?? 204;
  } else if (body instanceof Uint8Array) {
    const [type, pluginCsp] = ['Content-Type', 'Content-Security-Policy'].map((name) => ctx.res.getHeader(name));
    if (type !== PDF_TYPE) {
      ctx.res.setHeader('Content-Security-Policy', pluginCsp === undefined ? SANDBOX : [String(pluginCsp), SANDBOX]);
    }
    ctx.status = status ?? 200;
    ctx.body = Buffer.from(body);
  } else {
    writeJson(ctx, status ?? 200, JSON.stringify(body));
  }
}

/**
 * Rejects requests for scripts. Pages of the host's origin must not run a plugin's script: neither by a theme, nor by
 * injected markup, nor as a service worker. Documents of plugins have another origin, so they may.
 * @throws HostError 403
 */
function refuseScriptRequests(ctx: Context): void {
  const isSameOriginScript =
    SCRIPT_DESTINATIONS.includes(ctx.get('sec-fetch-dest')) && ctx.get('sec-fetch-site') === 'same-origin';
  if (!isSameOriginScript && ctx.get('service-worker') === '') return;
  throw new HostError('access_denied', 'Pages of plugins cannot run scripts on this origin', { status: 403 });
}
