"""A producer and a consumer of DLPack capsules by ctypes, for what numpy does
not make or take: other types, devices, versions, flags, and damage."""

import ctypes

I64 = ctypes.c_int64
READ_ONLY, PADDED = 1, 4


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(I64)),
        ("strides", ctypes.POINTER(I64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Managed(ctypes.Structure):
    _fields_ = [
        ("tensor", DLTensor),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


class ManagedVersioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", DLTensor),
    ]


Callback = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)


def python(name, result, *parameters):
    return ctypes.PYFUNCTYPE(result, *parameters)((name, ctypes.pythonapi))


new_capsule = python(
    "PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
)
is_valid = python(
    "PyCapsule_IsValid", ctypes.c_int, ctypes.py_object, ctypes.c_char_p
)
get_pointer = python(
    "PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p
)
get_name = python("PyCapsule_GetName", ctypes.c_char_p, ctypes.py_object)
set_name = python(
    "PyCapsule_SetName", ctypes.c_int, ctypes.py_object, ctypes.c_char_p
)
NAMES = {
    "dltensor": b"dltensor",
    "dltensor_versioned": b"dltensor_versioned",
    "used_dltensor": b"used_dltensor",
    "used_dltensor_versioned": b"used_dltensor_versioned",
}


class Producer:
    """An array that only speaks DLPack. `made` and `deleted` count capsules and
    calls of the deleter; `calls` are the keywords of __dlpack__."""

    def __init__(
        self,
        address,
        shape,
        code,
        bits,
        *,
        lanes=1,
        device=(1, 0),
        strides=None,
        offset=0,
        version=None,
        flags=0,
        deleter=True,
        rank=None,
        keep=None,
    ):
        self.device = device
        self.version = version
        self.keep = keep
        self.made = self.deleted = 0
        self.calls = []
        self.capsules = []
        self.sizes = None if shape is None else (I64 * len(shape))(*shape)
        self.steps = None if strides is None else (I64 * len(strides))(*strides)
        self.managed = Managed() if version is None else ManagedVersioned()
        if version is not None:
            self.managed.major, self.managed.minor = version
            self.managed.flags = flags
        tensor = self.managed.tensor
        tensor.data = address
        tensor.device_type, tensor.device_id = device
        tensor.ndim = len(shape or ()) if rank is None else rank
        tensor.code, tensor.bits, tensor.lanes = code, bits, lanes
        if self.sizes is not None:
            tensor.shape = ctypes.cast(self.sizes, ctypes.POINTER(I64))
        if self.steps is not None:
            tensor.strides = ctypes.cast(self.steps, ctypes.POINTER(I64))
        tensor.byte_offset = offset

        def delete(address):
            assert address == ctypes.addressof(self.managed)
            self.deleted += 1

        self.delete = Callback(delete)
        if deleter:
            self.managed.deleter = ctypes.cast(self.delete, ctypes.c_void_p).value

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **keywords):
        self.calls.append(keywords)
        if self.version is None and "max_version" in keywords:
            raise TypeError("unexpected keyword argument 'max_version'")
        name = "dltensor" if self.version is None else "dltensor_versioned"
        capsule = new_capsule(ctypes.addressof(self.managed), NAMES[name], None)
        self.made += 1
        # A consumer may not count on being the only one to hold it.
        self.capsules.append(capsule)
        return capsule

    def check(self, used=True):
        """Each capsule was used, and given back, once."""
        assert self.deleted == self.made, (self.made, self.deleted)
        for capsule in self.capsules:
            assert get_name(capsule).startswith(b"used_") == used


class Consumer:
    """What a capsule holds, until `close`."""

    def __init__(self, capsule):
        for name, kind in (
            ("dltensor", Managed),
            ("dltensor_versioned", ManagedVersioned),
        ):
            if is_valid(capsule, NAMES[name]):
                address = get_pointer(capsule, NAMES[name])
                self.managed = kind.from_address(address)
                set_name(capsule, NAMES["used_" + name])
                break
        else:
            raise AssertionError(f"not a DLPack capsule: {get_name(capsule)}")
        tensor = self.managed.tensor
        self.versioned = kind is ManagedVersioned
        self.flags = self.managed.flags if self.versioned else 0
        self.shape = tuple(tensor.shape[: tensor.ndim])
        self.strides = tuple(tensor.strides[: tensor.ndim])
        self.type = (tensor.code, tensor.bits, tensor.lanes)
        self.device = (tensor.device_type, tensor.device_id)
        self.address = tensor.data + tensor.byte_offset

    def close(self):
        Callback(self.managed.deleter)(ctypes.addressof(self.managed))
