import { HostError, type ResourceResponse } from '@keyhost/spi';
import type { Context } from 'koa';
import { writeJson } from './errors.js';

/**
 * A document of a plugin has an origin of its own, which is no other document's: what runs in it reaches neither the host's
 * cookies nor its pages. Of the same origin as the desk it could have an admin's code sent to it. Without a token for
 * top-level navigation a frame of it leads nobody away.
 */
const SANDBOX =
  'sandbox allow-scripts allow-forms allow-modals allow-downloads allow-popups allow-popups-to-escape-sandbox';

/** Chromium shows no PDF in a sandbox. The scripts of one run in the viewer, and not in the origin that it came from. */
const SHOWN_BY_A_VIEWER = 'application/pdf';

const PROGRAMS: readonly string[] = [
  'script',
  'worker',
  'sharedworker',
  'serviceworker',
  'audioworklet',
  'paintworklet',
];

/**
 * The one place by which bytes of a plugin become an answer, whatever kind they are of. All of them are sandboxed, and not only
 * what names a type that browsers run, since the list of these is theirs. A policy of the plugin's own stands beside the host's,
 * and browsers hold a document to both. Which headers it may have was judged with the call (`wrongHeaders`).
 * @throws HostError 403
 */
export function writePluginAnswer(ctx: Context, { status, headers = {}, body }: ResourceResponse): void {
  refuseAsProgram(ctx);
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === 'vary') ctx.append('Vary', value);
    else ctx.set(name, value);
  }
  if (body === undefined) {
    ctx.status = status ?? 204;
  } else if (body instanceof Uint8Array) {
    const [type, own] = ['Content-Type', 'Content-Security-Policy'].map((name) => ctx.res.getHeader(name));
    if (type !== SHOWN_BY_A_VIEWER) {
      ctx.res.setHeader('Content-Security-Policy', own === undefined ? SANDBOX : [String(own), SANDBOX]);
    }
    ctx.status = status ?? 200;
    ctx.body = Buffer.from(body);
  } else {
    writeJson(ctx, status ?? 200, JSON.stringify(body));
  }
}

/**
 * Pages of the host's own origin run no program of a plugin's: neither a page of a theme that names one, nor one that somebody
 * wrote an element into, and no service worker stays behind. Documents of plugins have another origin, and may.
 * @throws HostError 403
 */
function refuseAsProgram(ctx: Context): void {
  const isProgram = PROGRAMS.includes(ctx.get('sec-fetch-dest')) && ctx.get('sec-fetch-site') === 'same-origin';
  if (!isProgram && ctx.get('service-worker') === '') return;
  throw new HostError('access_denied', 'Pages of plugins cannot run scripts on this origin', { status: 403 });
}
