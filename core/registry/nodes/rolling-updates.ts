import { BootError } from '../../config/boot-error.js';
import { defined } from '../../model/defined.js';
import type { PluginUpdates } from '../updates/plugin-updates.js';
import type { PluginsStatus, UpdateResult } from '../updates/update-report.js';
import { type Node, type NodeList, pluginDifferences } from './node-list.js';
import type { NodeAnswer, NodeMessages, NodeRequest } from './node-messages.js';

/** The result of an update on one node. */
export interface NodeResult {
  readonly node: string;
  /** `gone`: the node stopped before it answered. Its next start loads the current files. */
  readonly outcome: UpdateResult['outcome'] | 'gone';
  readonly changes: readonly string[];
}

export interface RollingUpdateResult extends UpdateResult {
  /** The results in the order of execution, this node first. */
  readonly nodes: readonly NodeResult[];
}

/** The nodes that use this store, and how their plugins differ, as sentences. */
export interface NodesStatus {
  readonly nodes: readonly Node[];
  readonly differences: readonly string[];
}

/**
 * Updates plugins on all nodes, one after another. This node is the first, so that its checks stop a broken update
 * before it reaches other nodes. If a node rejects the update, the nodes before it return to their previous versions.
 */
export class RollingUpdates {
  readonly #parts: { updates: PluginUpdates; nodes: NodeList; messages: NodeMessages };

  constructor(parts: { updates: PluginUpdates; nodes: NodeList; messages: NodeMessages }) {
    this.#parts = parts;
  }

  /** Starts to execute the requests of other nodes. */
  open(): void {
    this.#parts.messages.open((request) => this.#execute(request));
  }

  /** Like `PluginUpdates.look`, but also returns the nodes and their differences. */
  async look(): Promise<PluginsStatus & NodesStatus> {
    await this.#parts.nodes.publish();
    const nodes = this.#parts.nodes.listAlive();
    return { ...(await this.#parts.updates.look()), nodes, differences: pluginDifferences(nodes) };
  }

  /**
   * Like `PluginUpdates.reload`, on every node.
   * @throws BootError `plugin_nodes` if a node refused; then nothing was changed
   */
  reload(module?: string): Promise<RollingUpdateResult> {
    return this.#runOnAllNodes({ action: 'reload', ...defined({ module }) });
  }

  /**
   * Like `PluginUpdates.rollback`, on every node.
   * @throws BootError `plugin_nodes` if a node refused; then nothing was changed
   */
  rollback(module?: string): Promise<RollingUpdateResult> {
    return this.#runOnAllNodes({ action: 'rollback', ...defined({ module }) });
  }

  /**
   * Like `PluginUpdates.restart`, on every node.
   * @throws BootError `plugin_nodes` if a node refused; the nodes before it have restarted
   */
  restart(module: string): Promise<RollingUpdateResult> {
    return this.#runOnAllNodes({ action: 'restart', module });
  }

  async #runOnAllNodes(request: NodeRequest): Promise<RollingUpdateResult> {
    await this.#parts.nodes.publish();
    const [self, ...others] = sortSelfFirst(this.#parts.nodes.listAlive(), this.#parts.nodes.id);
    const first = await runOnThisNode(this.#parts.updates, request);
    const completedResults = [{ node: self, result: first }];
    const nodes: NodeResult[] = [resultOf(self, first)];
    for (const node of others) {
      const answer = await this.#parts.messages.ask(node.id, request);
      if (answer === 'gone') {
        nodes.push({ node: node.name, outcome: 'gone', changes: [] });
        continue;
      }
      // Undo the update on the refusing node too, because it may have replaced other plugins.
      if ('result' in answer) completedResults.push({ node, result: answer.result });
      const refusal = refusalOf(answer, first);
      if (refusal !== undefined) throw await this.#undo(request, completedResults, node, refusal);
      if ('result' in answer) nodes.push(resultOf(node, answer.result));
    }
    await this.#parts.nodes.publish();
    return { ...first, nodes };
  }

  /**
   * Undoes the update on the nodes that have completed it, the last first.
   * @returns the error to throw
   */
  async #undo(
    { action, module }: NodeRequest,
    completedResults: readonly { readonly node: Node; readonly result: UpdateResult }[],
    refusingNode: Node,
    refusal: string,
  ): Promise<BootError> {
    const sentences: string[] = [];
    // A restarted worker runs the same version as before: there is nothing to undo.
    if (action === 'restart') return refusalError(refusingNode, refusal, module, []);
    const reverse: NodeRequest = { action: action === 'reload' ? 'rollback' : 'reload', ...defined({ module }) };
    for (const { node, result } of [...completedResults].reverse()) {
      if (result.outcome === 'unchanged') continue;
      const answer =
        node.id === this.#parts.nodes.id
          ? await this.#execute(reverse)
          : await this.#parts.messages.ask(node.id, reverse);
      const isRestored = answer !== 'gone' && 'result' in answer;
      sentences.push(
        isRestored
          ? `${node.name} has its previous plugins again`
          : `${node.name} could not return to its previous plugins: ${reportOf(answer)}`,
      );
    }
    await this.#parts.nodes.publish();
    return refusalError(refusingNode, refusal, module, sentences);
  }

  async #execute(request: NodeRequest): Promise<NodeAnswer> {
    try {
      const result = await runOnThisNode(this.#parts.updates, request);
      void this.#parts.nodes.publish();
      return { result };
    } catch (error) {
      const report =
        error instanceof BootError ? error.report() : error instanceof Error ? error.message : String(error);
      return { refusal: { code: error instanceof BootError ? error.code : 'unknown_error', report } };
    }
  }
}

function runOnThisNode(updates: PluginUpdates, { action, module }: NodeRequest): Promise<UpdateResult> {
  return action === 'restart' ? updates.restart(module ?? '') : updates[action](module);
}

/** @param undoSentences sentences about the nodes on which the update was undone */
function refusalError(
  { name }: Node,
  refusal: string,
  module: string | undefined,
  undoSentences: readonly string[],
): BootError {
  return new BootError('plugin_nodes', `the node ${name} refused the update: ${refusal}`, {
    plugin: module,
    hint: [...undoSentences, `copy the files of the other nodes to ${name}, and try again`].join('; '),
  });
}

/** Returns the nodes, this node first. */
function sortSelfFirst(nodes: readonly Node[], self: string): [Node, ...Node[]] {
  const thisNode = nodes.filter(({ id }) => id === self);
  const others = nodes.filter(({ id }) => id !== self);
  return [...thisNode, ...others] as [Node, ...Node[]];
}

function resultOf({ name }: Node, { outcome, changes }: UpdateResult): NodeResult {
  return { node: name, outcome, changes };
}

/**
 * Returns why a node has refused the update; undefined if it has not. An optional plugin that only fails on this node
 * is a refusal too, because the nodes would differ.
 */
function refusalOf(answer: NodeAnswer, first: UpdateResult): string | undefined {
  if ('refusal' in answer) return answer.refusal.report;
  const failedModules = new Set(first.failures.map(({ module }) => module));
  return answer.result.failures.find(({ module }) => !failedModules.has(module))?.report;
}

function reportOf(answer: NodeAnswer | 'gone'): string {
  if (answer === 'gone') return 'it stopped, and loads the new files when it starts';
  return 'refusal' in answer ? answer.refusal.report : '';
}
