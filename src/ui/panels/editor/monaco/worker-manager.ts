interface Options {
  createData?: unknown;
  label: string;
}

interface Proxy {
  dispose(): void;
  withSyncedResources(resources: unknown[]): Promise<unknown>;
}

interface Monaco {
  editor: { createWebWorker(options: { worker: Promise<Worker> }): Proxy };
}

/** Stands in for monaco-worker-manager: since 0.53 Monaco wants the worker itself and hands on no data to it. */
export function createWorkerManager(monaco: Monaco, options: Options) {
  let createData = options.createData;
  let proxy: Proxy | undefined;
  const stop = () => {
    proxy?.dispose();
    proxy = undefined;
  };
  const start = async (): Promise<Worker> => {
    const worker = await self.MonacoEnvironment?.getWorker?.('', options.label);
    if (worker === undefined) throw new Error(`no worker for ${options.label}`);
    worker.postMessage('ignore');
    worker.postMessage(createData);
    return worker;
  };
  return {
    dispose: stop,
    getWorker(...resources: unknown[]): Promise<unknown> {
      proxy ??= monaco.editor.createWebWorker({ worker: start() });
      return proxy.withSyncedResources(resources);
    },
    updateCreateData(data: unknown): void {
      createData = data;
      stop();
    },
  };
}
