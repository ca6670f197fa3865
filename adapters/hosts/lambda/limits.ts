/** Limits of functions beside those of core/platforms/aws-limits.ts. */

/** Result that a load balancer takes, as JSON. https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html */
export const maxBalancerBytes = 1024 * 1024;

/** A call is answered by us this long before its function would be ended. */
export const answerMarginMs = 1000;
