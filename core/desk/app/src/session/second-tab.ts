import type { Start } from './session.ts';

/** What the `state` of a request begins with whose answer another tab waits for. */
export const TAB = 'tab-';
const CHANNEL = 'keyhost.desk.sign-in';

/** Opens the login in a tab of its own. @returns what that tab came back with: the code in it is worth nothing without the verifier */
export function openSecondTab(url: URL, state: string): Promise<URLSearchParams> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }) => {
      const answer = new URLSearchParams(String(data));
      if (answer.get('state') !== state) return;
      channel.close();
      resolve(answer);
    };
    window.open(url, '_blank');
  });
}

export function passToFirstTab(answer: URLSearchParams): Start {
  history.replaceState(null, '', location.pathname);
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(String(answer));
  channel.close();
  window.close();
  return { state: 'handed over' };
}
