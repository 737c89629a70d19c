import type { ApiObject } from '../resources.ts';
import type { ObjectMeta, OwnerReference } from '../schema/types.ts';

type WithMetadata = { metadata: ObjectMeta };

/** The one owner with controller: true. */
export function controllerOf(object: WithMetadata): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true);
}

export function isControlledBy(object: WithMetadata, owner: WithMetadata): boolean {
  return controllerOf(object)?.uid === owner.metadata.uid;
}

/** A controller's reference to itself in what it makes. Upstream: apimachinery metav1.NewControllerRef. */
export function controllerReference(owner: ApiObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion, kind: owner.kind, name: owner.metadata.name as string, uid: owner.metadata.uid as string,
    controller: true, blockOwnerDeletion: true,
  };
}

export function ownedBy(object: WithMetadata, uid: string): boolean {
  return object.metadata.ownerReferences?.some((owner) => owner.uid === uid) ?? false;
}
