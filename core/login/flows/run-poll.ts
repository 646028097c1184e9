import type { PollAnswer } from '@keyhost/spi';
import type { Execution } from '../../realms/flows/flow-model.js';
import { authenticatorOf, callWithoutRefusal, createStep } from './flow-authenticators.js';
import type { FlowRun } from './flow-run.js';
import { contextFor, stepShapeError } from './run-flow.js';

/** Maximum length of a poll's answer in characters. */
const MAX_DATA_LENGTH = 4000;

/** Polls the pending authenticator for its page. */
export async function runPoll(run: FlowRun, execution: Execution): Promise<PollAnswer | undefined> {
  const enabled = authenticatorOf(run.session, execution);
  const provider = enabled && createStep(run.session, enabled);
  if (enabled === undefined || provider?.poll === undefined) return undefined;
  const { kept: storedState } = run.state;
  const state = storedState?.by === execution.id ? storedState.state : undefined;
  const context = await contextFor(run, execution, enabled, state);
  const answer = await callWithoutRefusal(run.session, enabled, async () => provider.poll?.(context));
  if (JSON.stringify(answer?.data ?? null).length <= MAX_DATA_LENGTH) return answer;
  throw stepShapeError(enabled, `answered a poll with more than ${MAX_DATA_LENGTH} characters of data`);
}
