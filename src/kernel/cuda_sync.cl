/*
 * CUDA kernels for devices from Volta on, whose loads and stores can say in which order others see them: a flag that
 * goes to and fro between two players.
 *
 * scripts/build-kernels makes cuda_sync.ptx of this.
 */
#include "cuda_device.clh"

static inline uint load_relaxed(const global uint *from)
{
	uint value;

	__asm__ volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
	return value;
}

static inline uint load_acquire(const global uint *from)
{
	uint value;

	__asm__ volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
	return value;
}

static inline void store_relaxed(global uint *to, uint value)
{
	__asm__ volatile("st.relaxed.sys.global.u32 [%0], %1;" : : "l"(to), "r"(value) : "memory");
}

static inline void store_release(global uint *to, uint value)
{
	__asm__ volatile("st.release.sys.global.u32 [%0], %1;" : : "l"(to), "r"(value) : "memory");
}

/* Looks at the time once in so many looks at the flag. */
enum { LOOKS = 1 << 16 };

/*
 * One thread each for the two players, who wait for their own flag and then set the other's. The one with first != 0
 * begins each trip, and notes in times (if not 0) its clock's cycles from setting to seeing. Trips are numbered from
 * start + 1 on; the flags held start before. Returns the trips made in *made: fewer if the other did not answer within
 * time_ns.
 */
#define PLAYER(name, load, store)                                                                                      \
	kernel void name(const global uint *mine, global uint *theirs, uint first, uint trips, uint start,             \
			 global uint *times, global ulong *made, ulong time_ns)                                        \
	{                                                                                                              \
		const ulong timer = global_timer(), clock = clock_cycles(), until = timer + time_ns;                   \
		uint trip, looks = 0;                                                                                  \
                                                                                                                       \
		for (trip = 1; trip <= trips; trip++) {                                                                \
			const ulong set = clock_cycles();                                                              \
                                                                                                                       \
			if (first)                                                                                     \
				store(theirs, start + trip);                                                           \
			while (load(mine) != start + trip)                                                             \
				if ((++looks & (LOOKS - 1)) == 0 && global_timer() > until)                            \
					goto out;                                                                      \
			if (!first)                                                                                    \
				store(theirs, start + trip);                                                           \
			else if (times)                                                                                \
				times[trip - 1] = (uint)(clock_cycles() - set);                                        \
		}                                                                                                      \
out:                                                                                                                   \
		made[0] = trip - 1;                                                                                    \
		made[1] = clock_cycles() - clock;                                                                      \
		made[2] = global_timer() - timer;                                                                      \
	}

PLAYER(ws_pingpong_relaxed, load_relaxed, store_relaxed)
PLAYER(ws_pingpong_acqrel, load_acquire, store_release)
