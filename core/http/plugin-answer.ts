import { HostError, type ResourceResponse } from '@keyhost/spi';
import type { Context } from 'koa';
import { writeJson } from './errors.js';

/**
 * A plugin's document gets a unique origin, so that its scripts reach neither the host's cookies nor its pages. In the
 * origin of the admin console, it could obtain an admin's authorization code. Without a token for top-level navigation,
 * it cannot redirect the page that frames it.
 */
const SANDBOX =
  'sandbox allow-scripts allow-forms allow-modals allow-downloads allow-popups allow-popups-to-escape-sandbox';

/** Chromium shows no PDF in a sandbox. Scripts of a PDF run in the viewer, not in its origin. */
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
 * The only place that writes a plugin's bytes as a response. All of them are sandboxed, not only types that browsers
 * execute, because that list belongs to the browsers. A plugin's own policy is added to the host's, and browsers
 * enforce both. The call has checked the headers (`wrongHeaders`).
 * @throws HostError 403
 */
export function writePluginAnswer(ctx: Context, { status, headers = {}, body }: ResourceResponse): void {
  refuseAsScript(ctx);
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === 'vary') ctx.append('Vary', value);
    else ctx.set(name, value);
  }
  if (body === undefined) {
    ctx.status = status ?? 204;
  } else if (body instanceof Uint8Array) {
    const [type, own] = ['Content-Type', 'Content-Security-Policy'].map((name) => ctx.res.getHeader(name));
    if (type !== PDF_TYPE) {
      ctx.res.setHeader('Content-Security-Policy', own === undefined ? SANDBOX : [String(own), SANDBOX]);
    }
    ctx.status = status ?? 200;
    ctx.body = Buffer.from(body);
  } else {
    writeJson(ctx, status ?? 200, JSON.stringify(body));
  }
}

/**
 * Pages of the host's own origin must not run a plugin's script: neither by a theme, nor by injected markup, nor as a
 * service worker. Documents of plugins have another origin, so they may.
 * @throws HostError 403
 */
function refuseAsScript(ctx: Context): void {
  const isProgram =
    SCRIPT_DESTINATIONS.includes(ctx.get('sec-fetch-dest')) && ctx.get('sec-fetch-site') === 'same-origin';
  if (!isProgram && ctx.get('service-worker') === '') return;
  throw new HostError('access_denied', 'Pages of plugins cannot run scripts on this origin', { status: 403 });
}
