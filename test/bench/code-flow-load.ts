import { type Agent, request } from 'node:http';

/** A whole login of a browser that was never here, and the code's exchange. */
export interface CodePlan {
  /** The authorization request. */
  readonly authorize: string;
  readonly redirectUri: string;
  /** Posted to the page's form, where there is one. */
  readonly login: Readonly<Record<string, string>>;
  readonly token: string;
  readonly client: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly cookies: readonly string[];
  readonly body: string;
}

/** @throws Error when it does not end with tokens */
export async function codeFlow(agent: Agent, plan: CodePlan): Promise<void> {
  const jar = new Map<string, string>();
  let url = plan.authorize;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 10; step += 1) {
    const answer = await send(agent, url, form, [...jar].map((pair) => pair.join('=')).join('; '));
    for (const cookie of answer.cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(name, value);
    }
    form = undefined;
    if (answer.location?.startsWith(plan.redirectUri)) {
      const code = new URL(answer.location).searchParams.get('code');
      if (code === null) throw new Error(`no code: ${answer.location}`);
      const exchange = { ...plan.client, grant_type: 'authorization_code', code, redirect_uri: plan.redirectUri };
      const tokens = await send(agent, plan.token, new URLSearchParams(exchange), '');
      if (tokens.status !== 200)
        throw new Error(`${plan.token} answered ${tokens.status}: ${tokens.body.slice(0, 200)}`);
      return;
    }
    if (answer.location !== undefined) url = new URL(answer.location, url).href;
    else {
      const action = /<form[^>]*\saction="([^"]*)"/.exec(answer.body)?.[1];
      if (action === undefined) throw new Error(`${url} answered ${answer.status}: ${answer.body.slice(0, 200)}`);
      url = new URL(action.replace(/&#38;|&amp;/g, '&').replace(/&#x?[0-9a-f]+;/gi, ''), url).href;
      form = new URLSearchParams(plan.login);
    }
  }
  throw new Error('the login goes round in circles');
}

function send(agent: Agent, url: string, form: URLSearchParams | undefined, cookie: string): Promise<Answer> {
  const body = form?.toString();
  const headers = {
    accept: 'text/html',
    ...(cookie === '' ? {} : { cookie }),
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, method: body === undefined ? 'GET' : 'POST', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          location: response.headers.location,
          cookies: response.headers['set-cookie'] ?? [],
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    call.on('error', reject);
    call.end(body);
  });
}
