import type { Context } from 'koa';

/** Text that HTML shows as it is. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** True when a browser asks: `Accept` names text/html before anything that JSON would satisfy better. */
export function acceptsHtml(ctx: Context): boolean {
  return ctx.get('accept').includes('text/html');
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #f4f5f7; --card: #fff; --accent: #0b57d0; --on-accent: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --paper: #14171a; --card: #1f2428; --accent: #8ab4f8; --on-accent: #10233f; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
main { width: min(100%, 28rem); background: var(--card); border-radius: .75rem; padding: 2rem; box-shadow: 0 1px 4px rgb(0 0 0 / .2); }
h1 { font-size: 1.25rem; margin: 0 0 .75rem; overflow-wrap: anywhere; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
button { font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: .5rem; background: var(--accent); color: var(--on-accent); cursor: pointer; }
button:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }`;

/** `title` is text; `content` is HTML that the caller escaped. No script and nothing from elsewhere. */
export function renderPage(ctx: Context, status: number, title: string, content: string): void {
  ctx.status = status;
  ctx.set(
    'Content-Security-Policy',
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  ctx.set('X-Frame-Options', 'DENY');
  ctx.set('Cache-Control', 'no-store, must-revalidate, max-age=0');
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body><main>${content}</main></body>
</html>
`;
}

export function renderErrorPage(ctx: Context, status: number, message: string): void {
  renderPage(ctx, status, 'We are sorry…', `<h1>We are sorry…</h1><p id="kc-error-message">${escapeHtml(message)}</p>`);
}
