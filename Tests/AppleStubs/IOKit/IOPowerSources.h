#pragma once
/* IOKit/ps/IOPowerSources.h: seconds until the battery is empty, -1 while that is estimated, -2 without a limit. */
double IOPSGetTimeRemainingEstimate(void);
