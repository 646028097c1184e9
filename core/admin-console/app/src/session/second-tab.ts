import type { Start } from './session.ts';

/** The prefix of the `state` of an authorization request whose answer another tab waits for. */
export const TAB_PREFIX = 'tab-';
const CHANNEL = 'keyhost.desk.sign-in';

/** Opens the login in a new tab. @returns the answer in that tab: its code is worthless without the verifier */
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
