import type { Fault } from '../scenarios/schema.ts';
import type { ObjectOf, ResourceName } from '../api/resources.ts';
import type { Component, Context, WatchChange } from './component.ts';

interface Stoppable {
  own: unknown;
  stopped: boolean;
}

/** A component that a fault can stop: it then does nothing and forgets all; started again it lists everything anew, as a new process does. */
export function stoppable(component: Component<never>): Component<never> {
  const wrapped: Component<Stoppable> = {
    ...component,
    start: (context) => ({ own: component.start(context), stopped: false }),
    handle: (state, event, context) => {
      if (event.kind === 'fault') {
        const { state: wanted } = event.payload as Extract<Fault, { component: string }>;
        if (wanted === 'start' && state.stopped) {
          state.own = component.start(context);
          component.handle(state.own as never, { ...event, kind: 'watch', payload: { changes: listed(component, context) } }, context);
        }
        state.stopped = wanted === 'stop';
      } else if (!state.stopped) component.handle(state.own as never, event, context);
    },
  };
  return wrapped as Component<never>;
}

function listed({ watches }: Component<never>, { view }: Context): WatchChange[] {
  return watches.flatMap(({ resource }) => view.list(resource).map((object): WatchChange => ({ type: 'ADDED', resource, object: object as ObjectOf<ResourceName> })));
}
