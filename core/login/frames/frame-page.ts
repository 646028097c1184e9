import type { Exchange } from '../../http/exchange.js';
import { frameScriptPath } from '../../pages/resources/login-resources.js';
import { frameAncestors } from './frame-ancestors.js';

/** Writes a page that consists of one script, to be framed by applications. */
export function writeFramePage({ ctx, realm }: Exchange, script: Parameters<typeof frameScriptPath>[0]): void {
  const { pathname } = new URL(realm.issuer);
  const base = pathname.slice(0, pathname.lastIndexOf('/realms/'));
  ctx.status = 200;
  // X-Frame-Options cannot list origins; `frame-ancestors` replaces it.
  ctx.remove('X-Frame-Options');
  const ancestors = `frame-ancestors ${frameAncestors(realm)}`;
  const sources = "default-src 'none'; script-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'";
  ctx.set('Content-Security-Policy', `${sources}; ${ancestors}`);
  ctx.set('Cache-Control', 'no-cache');
  ctx.set('Content-Type', 'text/html; charset=utf-8');
  ctx.body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${script}</title>
<script src="${base}${frameScriptPath(script)}" defer></script>
</head>
<body></body>
</html>
`;
}
