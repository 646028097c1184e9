import type { Context } from 'koa';

/** True for a browser: `Accept` contains text/html, which programs do not send by default. */
export function acceptsHtml(ctx: Context): boolean {
  return ctx.get('accept').includes('text/html');
}

/** True if `Accept` contains XHTML, which every browser sends when it navigates, and no program by default. */
export function acceptsXhtml(ctx: Context): boolean {
  return ctx.get('accept').includes('application/xhtml+xml');
}

/** Writes a constant page, for the case that even the error page fails. */
export function writePlainErrorPage(ctx: Context, status: number): void {
  ctx.status = status;
  ctx.set('Content-Security-Policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'");
  ctx.set('X-Frame-Options', 'DENY');
  ctx.set('Cache-Control', 'no-store, must-revalidate, max-age=0');
  ctx.set('Content-Type', 'text/html; charset=utf-8');
  ctx.body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>We are sorry…</title>
</head>
<body><main><h1>We are sorry…</h1><p id="kc-error-message">An error occurred</p></main></body>
</html>
`;
}
