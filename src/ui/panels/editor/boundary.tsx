import { Component, type ReactNode } from 'react';

/** If the rich editor cannot load (an old browser, no network), the plain one stays. */
export class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: Error): void {
    console.warn('the plain editor stays:', error.message);
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
