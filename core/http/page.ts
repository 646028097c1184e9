import type { Context } from 'koa';

/** True when a browser asks: `Accept` names text/html, which programs do not ask for by themselves. */
export function acceptsHtml(ctx: Context): boolean {
  return ctx.get('accept').includes('text/html');
}

/** True for what every browser asks for when it leaves a page, and no program does by itself. */
export function acceptsXhtml(ctx: Context): boolean {
  return ctx.get('accept').includes('application/xhtml+xml');
}

/** What a browser sees when not even the error page could be made. It holds nothing that varies. */
export function writeLastResort(ctx: Context, status: number): void {
  ctx.status = status;
  ctx.set('Content-Security-Policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'");
  ctx.set('X-Frame-Options', 'DENY');
  ctx.set('Cache-Control', 'no-store, must-revalidate, max-age=0');
  ctx.type = 'text/html; charset=utf-8';
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
