#include <Python.h>

#include "kernelect/base/processor.hpp"

#if defined(_MSC_VER) && defined(_M_X64)
#include <immintrin.h>
#include <intrin.h>
#endif

// Which cores this machine can run; compiled for the baseline only. Both ways also ask whether the
// operating system saves the wide registers.
namespace {

bool has_v3() {
#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#elif defined(_MSC_VER) && defined(_M_X64)
    int r[4];
    __cpuid(r, 0);
    if (r[0] < 7) return false;
    __cpuid(r, 1);
    const bool osxsave = (r[2] & (1 << 27)) != 0, fma = (r[2] & (1 << 12)) != 0;
    if (!osxsave || !fma || (_xgetbv(0) & 0x6) != 0x6) return false;
    __cpuidex(r, 7, 0);
    return (r[1] & (1 << 5)) != 0 && (r[1] & (1 << 8)) != 0;
#else
    return false;
#endif
}

bool add(PyObject* m, const char* name, bool fact) {
    PyObject* const value = PyBool_FromLong(fact ? 1 : 0);
    const bool added = PyModule_AddObjectRef(m, name, value) == 0;
    Py_DECREF(value);
    return added;
}

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "_cpu",
                          "Which instruction levels this machine runs.",
                          -1,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};

}  // namespace

// Two facts need no pybind11, which would take longer to compile than all that is said here.
PyMODINIT_FUNC PyInit__cpu() {
    PyObject* const m = PyModule_Create(&definition);
    if (m == nullptr) return nullptr;
#ifdef Py_GIL_DISABLED
    PyUnstable_Module_SetGIL(m, Py_MOD_GIL_NOT_USED);
#endif
    if (add(m, "v3", has_v3()) && add(m, "v4", has_v3() && kernelect::runs_packs_of_8())) return m;
    Py_DECREF(m);
    return nullptr;
}
